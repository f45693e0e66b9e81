import { createAgent } from '../agent/index.ts';
import { type AgentConfig, type Campaign, changedKeys, frozenPart, livePart } from '../config/index.ts';
import { requireEmbeddingKey } from '../embedding/index.ts';
import { ConflictError, InterruptedError } from '../errors.ts';
import type { Gates } from '../gateway/index.ts';
import {
  type Describer,
  type Maker,
  type Makers,
  openDescriber,
  openWorkshop,
  prepareRoot,
  type Workshop,
} from '../pipeline/index.ts';
import {
  appendEvents,
  type CampaignRow,
  type Claimant,
  createCampaign,
  deleteCampaign,
  findCampaign,
  getCampaign,
  hasJobs,
  isUnled,
  type Lead,
  type Queue,
  type Store,
  updateLive,
  vectorCache,
} from '../store/index.ts';
import { type Models, openModels } from './models/index.ts';
import type { Presence } from './presence.ts';

/** A campaign that this process works on: everything open, nothing running yet. */
export interface Session extends AsyncDisposable {
  readonly store: Store;
  readonly queue: Queue;
  /** Who claims work in this session. */
  readonly claimant: Claimant;
  /** The right to plan and settle. */
  readonly lead: Lead;
  /** Aborted when others take this process for dead, or lead the campaign in its place. */
  readonly lost: AbortSignal;
  readonly campaignId: number;
  readonly campaign: Campaign;
  readonly workshop: Workshop;
  readonly describer: Describer;
  /** Planner and coders, and their way to models. */
  readonly makers: Makers;
  readonly models: Models;
  /** Things the user should know that stop nothing. */
  readonly warnings: readonly string[];
}

export interface SessionDeps {
  readonly store: Store;
  readonly queue: Queue;
  readonly workspace: string;
  /** Of the model servers that this process calls. */
  readonly gates: Gates;
  readonly presence: Presence;
  /** Another process has the campaign: this one waits until it lets go. */
  readonly onWait: () => void;
}

/**
 * Opens a campaign: on its first run its target, evaluator and search are frozen, later they are compared.
 * @throws ConflictError when a frozen key changed, naming it; InterruptedError when `signal` ended the waiting for another process.
 */
export async function openSession(deps: SessionDeps, campaign: Campaign, signal: AbortSignal): Promise<Session> {
  const { store, workspace, onWait } = deps;
  const known = await lastingCampaign(store, campaign.name);
  if (known !== undefined) refuseFrozenChanges(known, campaign);
  const pinned =
    known === undefined
      ? null
      : { root: { commit: known.rootCommit, tree: known.rootTree }, bundleHash: known.bundleHash };
  const workshop = await openWorkshop(workspace, campaign, pinned);
  // Before anything is open that would have to be closed: a recording may be refused.
  const agents = agentsOf(workshop);
  requireEmbeddingKey(campaign.search.descriptor.provider, process.env);
  const row = known ?? (await register(store, workshop));
  const lead = await store.lead(row.id, { signal, onWait });
  if (lead === null) throw new InterruptedError('it was ended while another process had the campaign');
  try {
    return await furnished(deps, { campaign, workshop, lead, agents }, signal);
  } catch (error) {
    await lead.release();
    throw error;
  }
}

type Led = Pick<Session, 'campaign' | 'workshop' | 'lead'> & { readonly agents: Pick<Makers, 'planner' | 'coder'> };

/** What a leader opens. */
async function furnished(
  { store, queue, presence, gates }: SessionDeps,
  { campaign, workshop, lead, agents }: Led,
  signal: AbortSignal,
): Promise<Session> {
  // Read again: it may have been somebody else's until now.
  const row = await getCampaign(store.db, lead.campaignId);
  await applyLiveChanges(store, row, campaign);
  await presence.renew();
  const { claimant, lost } = presence;
  await prepareRoot(workshop, signal);
  const models = await openModels({
    ...{ db: store.db, campaignId: row.id, campaign, gates },
    folder: workshop.folders.calls,
    environment: process.env,
  });
  const describer = await openDescriber(
    workshop,
    { cache: vectorCache(store.db), access: models.embeddings },
    signal,
  ).catch(async (error: unknown) => {
    await models.close();
    throw error;
  });
  return {
    store,
    queue,
    claimant,
    lead,
    lost: AbortSignal.any([lost, lead.lost]),
    campaignId: row.id,
    campaign,
    workshop,
    describer,
    async [Symbol.asyncDispose]() {
      await models.close();
      await lead.release();
    },
    models,
    makers: { ...agents, openModels: models.openModels },
    warnings: workshop.bundleChanged
      ? [
          "the campaign folder or Clade's own evaluator library changed since the first run; the evaluator that was pinned then stays in use",
        ]
      : [],
  };
}

/** @throws ConfigurationError when what a planner or a coder needs is not there. */
function agentsOf({ campaign: { agents, directory }, root }: Workshop): Pick<Makers, 'planner' | 'coder'> {
  const makerOf = (name: string, agent: AgentConfig): Maker => ({
    name,
    agent: createAgent(agent, { directory, rootTree: root.tree }),
    timeoutMs: agent.timeoutMs,
  });
  const coders = agents.coders.map(({ name, agent }) => makerOf(name, agent));
  const [first] = coders;
  if (first === undefined) throw new RangeError('a campaign has at least one coder');
  return {
    planner: agents.planner === null ? null : makerOf('planner', agents.planner),
    coder: (name) => coders.find((coder) => coder.name === name) ?? first,
  };
}

/**
 * The campaign of this name, if it has jobs. One that never got past its root has nothing to protect: it is forgotten, so
 * that an evaluator that refused the root can be mended and tried again.
 */
async function lastingCampaign(store: Store, name: string): Promise<CampaignRow | undefined> {
  const known = await findCampaign(store.db, name);
  if (known === undefined || (await hasJobs(store.db, known.id))) return known;
  const forgotten = await store.db.transaction().execute(async (trx) => {
    if (!(await isUnled(trx, known.id))) return false;
    await deleteCampaign(trx, known.id);
    return true;
  });
  return forgotten ? undefined : known;
}

function refuseFrozenChanges(known: CampaignRow, campaign: Campaign): void {
  const changed = changedKeys(known.frozen, frozenPart(campaign));
  if (changed.length === 0) return;
  const verb = changed.length === 1 ? 'is' : 'are';
  throw new ConflictError(`${changed.join(', ')} ${verb} frozen since the first run of "${campaign.name}"`, {
    hint: 'put the old value back, or give the campaign a new name: a changed search is a new campaign',
  });
}

async function register(store: Store, workshop: Workshop): Promise<CampaignRow> {
  const { campaign, root, bundle } = workshop;
  return createCampaign(store.db, {
    name: campaign.name,
    frozen: frozenPart(campaign),
    live: livePart(campaign),
    directory: campaign.directory,
    rootCommit: root.commit,
    rootTree: root.tree,
    bundleHash: bundle.hash,
  });
}

/** A changed live key takes effect and leaves an event. */
async function applyLiveChanges(store: Store, known: CampaignRow, campaign: Campaign): Promise<void> {
  const live = livePart(campaign);
  const changed = changedKeys(known.live, live);
  if (changed.length === 0) return;
  await store.db.transaction().execute(async (trx) => {
    await updateLive(trx, known.id, live);
    await appendEvents(trx, [{ campaignId: known.id, kind: 'campaign.reconfigured', data: { changed } }]);
  });
}
