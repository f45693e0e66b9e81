import { type Campaign, changedKeys, frozenPart, livePart } from '../config/index.ts';
import { requireEmbeddingKey } from '../embedding/index.ts';
import { ConflictError, InterruptedError, NotFoundError } from '../errors.ts';
import { packBundle } from '../evaluator/index.ts';
import { openWorkshop, type Workshop } from '../pipeline/index.ts';
import {
  appendEvents,
  type CampaignRow,
  createCampaign,
  deleteCampaign,
  findCampaign,
  getCampaign,
  hasBundle,
  hasJobs,
  isUnled,
  type Lead,
  putBundle,
  type Store,
  updateLive,
} from '../store/index.ts';
import { leaseSeconds } from './presence.ts';
import { type Agents, agentsOf, openWork, type WorkDeps, type WorkSession } from './work-session.ts';

/** A campaign that this process leads: everything open, nothing running yet. */
export interface Session extends WorkSession {
  /** The right to plan and settle. */
  readonly lead: Lead;
  /** Aborted when others take this process for dead, or lead the campaign in its place. */
  readonly lost: AbortSignal;
  /** Things the user should know that stop nothing. */
  readonly warnings: readonly string[];
}

export interface SessionDeps extends WorkDeps {
  readonly workspace: string;
  /** Another process has the campaign: this one waits until it lets go, or until `leave`. */
  readonly onWait: () => void;
  readonly leave: AbortSignal;
}

/**
 * Opens a campaign: on its first run its target, evaluator and search are frozen, later they are compared.
 * @throws ConflictError when a frozen key changed, naming it; InterruptedError when `signal` ended the waiting for another process.
 */
export async function openSession(deps: SessionDeps, campaign: Campaign, signal: AbortSignal): Promise<Session> {
  for (;;) {
    const session = await tryToOpen(deps, campaign, signal);
    if (session !== null) return session;
  }
}

/** Null when another process registered the campaign, or forgot it, meanwhile: then it is to be looked at again. */
async function tryToOpen(deps: SessionDeps, campaign: Campaign, signal: AbortSignal): Promise<Session | null> {
  const { store, workspace, onWait, leave } = deps;
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
  const row = known ?? (await elseNull(ConflictError, register(store, workshop)));
  if (row === null) return null;
  const patience = { signal: AbortSignal.any([signal, leave]), onWait, silenceSeconds: leaseSeconds() };
  const lead = await elseNull(NotFoundError, store.lead(row.id, patience));
  if (lead === null && !patience.signal.aborted) return null;
  if (lead === null) throw new InterruptedError('it was ended while another process had the campaign');
  try {
    return await furnished(deps, { campaign, workshop, lead, agents }, signal);
  } catch (error) {
    await lead.release();
    throw error;
  }
}

/** What was to be had, or null where the answer was this kind of error. */
async function elseNull<T>(kind: new (message: string) => Error, asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof kind) return null;
    throw error;
  }
}

type Led = Pick<Session, 'campaign' | 'workshop' | 'lead'> & { readonly agents: Agents };

/** What a leader opens. */
async function furnished(
  deps: SessionDeps,
  { campaign, workshop, lead, agents }: Led,
  signal: AbortSignal,
): Promise<Session> {
  const { store, presence } = deps;
  // Read again: it may have been somebody else's until now.
  const row = await getCampaign(store.db, lead.campaignId);
  await applyLiveChanges(store, row, campaign);
  await presence.renew();
  const { lost } = presence;
  if (store.kind === 'postgres') await shareBundle(store, workshop);
  const work = await openWork(deps, { campaignId: row.id, workshop, agents }, signal);
  return {
    ...work,
    lead,
    lost: AbortSignal.any([lost, lead.lost]),
    async [Symbol.asyncDispose]() {
      await work[Symbol.asyncDispose]();
      await lead.release();
    },
    warnings: workshop.bundleChanged
      ? [
          "the campaign folder or Clade's own evaluator library changed since the first run; the evaluator that was pinned then stays in use",
        ]
      : [],
  };
}

/** Workers on other machines fetch the pinned evaluator from the database. */
async function shareBundle({ db }: Store, { bundle, folders }: Workshop): Promise<void> {
  if (await hasBundle(db, bundle.hash)) return;
  await db.transaction().execute((trx) => putBundle(trx, bundle.hash, packBundle(bundle, folders.scratch)));
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
