import { join } from 'node:path';
import { parseCampaign } from '../../../src/config/index.ts';
import type { Court } from '../../../src/daemon/settle.ts';
import { createDescriptor, createProvider } from '../../../src/embedding/index.ts';
import { createCampaign, type Store } from '../../../src/store/index.ts';

/** A campaign as users write it: every setting of the search is the default. */
const CAMPAIGN = {
  name: 'bench',
  target: { repository: './target', edit: ['**'] },
  goal: 'Nothing: this campaign measures what settling costs.',
  evaluator: {
    command: ['true'],
    objectives: [
      { name: 'speed', direction: 'maximize', epsilon: 0.003 },
      { name: 'size', direction: 'minimize', epsilon: 0.003 },
    ],
  },
};

/** A registered campaign with what settling looks at; its root's files sum up to the zero vector. */
export async function openCourt(store: Store, folder: string): Promise<Court> {
  const { campaign, errors } = parseCampaign(JSON.stringify(CAMPAIGN), join(folder, 'campaign.yaml'));
  if (campaign === null) throw new Error(errors.map(({ message }) => message).join('; '));
  const row = await createCampaign(store.db, {
    name: campaign.name,
    frozen: {},
    live: {},
    directory: folder,
    rootCommit: 'commit0',
    rootTree: 'tree0',
    bundleHash: 'none',
  });
  const { kind, provider } = campaign.search.descriptor;
  const root = { sum: new Float64Array(provider.dimensions), count: 1, depth: 0 };
  return {
    store,
    // No number here is so good that it has to be measured again.
    lead: null,
    queue: { enqueue: () => Promise.reject(new Error('nothing is to be enqueued')) },
    campaignId: row.id,
    campaign,
    describer: {
      provider: createProvider(provider, null),
      descriptor: createDescriptor(kind),
      root,
      facts: async () => ({}),
    },
  };
}
