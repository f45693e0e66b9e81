import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countJobs, findCampaign } from '../../src/store/index.ts';
import { COUNTING_AGENT, temporary } from '../pipeline/fixture.ts';
import { describeServer } from '../support/databases.ts';
import { campaignIn, hostOn } from './fixture.ts';

describeServer('a budget of time that is spent', (databases) => {
  test('lets what is in flight end, keeps it, plans no more, and is named', async () => {
    const store = await databases.open();
    const workspace = await temporary();
    const { host, said } = await hostOn(store, workspace);
    const begun = join(workspace, 'begun');
    // The second is still at it when the first is settled and leaves a slot.
    const agent = `${COUNTING_AGENT}touch ${begun}\ntest "$job" != job-2 || sleep 2\n`;
    const search = 'schedule: {mode: streaming, slots: 2}';
    const campaign = await campaignIn(workspace, { jobs: 8, agent, search });
    const budget = {
      ...campaign.budget,
      // Spent as soon as the first job is at work, however long that took.
      get wallMs() {
        return existsSync(begun) ? 1 : null;
      },
    };
    const end = await host.run({ ...campaign, budget });
    expect(end).toEqual({ kind: 'finished', cause: expect.stringMatching(/^budget\.wall: \d+ s were used$/) });
    expect(said).toEqual(['0 candidate', '1 candidate', '2 candidate']);
    const row = await findCampaign(store.db, 'counting');
    expect(row).toMatchObject({ state: 'finished', cause: end.kind === 'finished' ? end.cause : '' });
    const counts = await countJobs(store.db, row?.id ?? 0);
    expect(counts.reduce((sum, { jobs }) => sum + jobs, 0)).toBe(3);
  });
});
