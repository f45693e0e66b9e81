import type { Kysely, Transaction } from 'kysely';
import type { Objective } from '../config/index.ts';
import { InfrastructureError } from '../errors.ts';
import type { Describer } from '../pipeline/index.ts';
import {
  decodeProjection,
  dueFit,
  type Entry,
  encodeProjection,
  type Fitted,
  fitProjection,
  lowerBound,
  orient,
  type Population,
  restorePopulation,
  type Settlement as SearchSettlement,
  settle as settleEntry,
} from '../qd/index.ts';
import {
  appendEvents,
  findEarlier,
  findEvaluation,
  getJob,
  getRepositoryVector,
  history,
  listProjections,
  markSettled,
  type NewEvent,
  putDescriptor,
  type Settleable,
  type Store,
  savePlacements,
  saveProjection,
  settleable,
  type Tables,
} from '../store/index.ts';
import { fitAside } from './fit/index.ts';
import type { Session } from './session.ts';
import type { SettledJob } from './tally.ts';

const ISLAND = 0;

/** The part of a session that settling looks at. */
export type Court = Pick<Session, 'campaignId' | 'campaign'> & {
  readonly store: Pick<Store, 'db'>;
  readonly describer: Pick<Describer, 'provider' | 'descriptor' | 'root' | 'facts'>;
};

/** The population as it was after the settled history, under the projections that were fitted then. */
export async function restore(session: Court): Promise<Population> {
  const { store, campaignId, campaign } = session;
  const { objectives } = campaign.evaluator;
  const stored = new Map(
    (await listProjections(store.db, campaignId, ISLAND)).map((row) => [row.epoch, decodeProjection(row.payload)]),
  );
  const rows = await history(store.db, campaignId, ISLAND);
  const entries = rows.map((row) => entryOf(objectives, row, row.vector));
  return restorePopulation({ ...campaign.search, objectives }, entries, fitProjection, stored);
}

/** A measured candidate as the search sees it. */
function entryOf(
  declared: readonly Objective[],
  { ordinal, objectives, intervals }: Pick<Settleable, 'ordinal' | 'objectives' | 'intervals'>,
  vector: Float32Array,
): Entry {
  const [primary] = declared;
  const bound = primary === undefined ? null : lowerBound(primary, intervals?.[primary.name]);
  return { ordinal, point: orient(declared, objectives ?? {}), vector, bound };
}

/** What settling needs besides the session. */
export interface SettleOptions {
  readonly onSettled: (job: SettledJob) => void;
  /** Ends a fit that is under way. */
  readonly signal: AbortSignal;
}

/**
 * Settles, in ordinal order, every job whose fate is known: each in one transaction that holds its verdict, its placement
 * and its events. Returns how many. When it throws, `population` may be ahead of the database and must be restored.
 */
export async function settleReady(session: Court, population: Population, options: SettleOptions): Promise<number> {
  const jobs = await settleable(session.store.db, session.campaignId);
  for (const job of jobs) options.onSettled(await settleJob(session, population, job, options.signal));
  return jobs.length;
}

/** Nobody else settles, so what is read before the transaction still holds in it; a fit would keep the database waiting. */
async function settleJob(
  session: Court,
  population: Population,
  job: Settleable,
  signal: AbortSignal,
): Promise<SettledJob> {
  const { campaignId, store } = session;
  const { ordinal, commit, title } = job;
  const fate = await fateOf(store.db, campaignId, job);
  const admission = fate.outcome === 'candidate' ? await prepare(session, population, job, signal) : null;
  await store.db.transaction().execute(async (trx) => {
    const settlement = await markSettled(trx, campaignId, { ordinal, ...fate });
    const events: NewEvent[] = [{ campaignId, kind: 'job.settled', ordinal, data: fate }];
    if (admission !== null) events.push(...(await admit(session, population, trx, admission, settlement)));
    await appendEvents(trx, events);
  });
  return {
    ordinal,
    commit,
    title,
    outcome: fate.outcome,
    stage: fate.stage ?? null,
    failureKind: fate.failureKind ?? null,
    reason: fate.reason ?? null,
    objectives: fate.outcome === 'candidate' ? job.objectives : null,
  };
}

type Fate = Omit<Parameters<typeof markSettled>[2], 'ordinal'>;

/** A repeated tree or identity is a duplicate of the lower ordinal, whichever of the two was measured. */
async function fateOf(db: Kysely<Tables>, campaignId: number, job: Settleable): Promise<Fate> {
  const { stage, failureKind, reason } = job;
  if (job.tree === null) {
    return {
      outcome: job.outcome ?? 'failed',
      ...(stage === null ? {} : { stage }),
      ...(failureKind === null ? {} : { failureKind }),
      ...(reason === null ? {} : { reason }),
    };
  }
  const earlier = await findEarlier(db, campaignId, { tree: job.tree, identity: job.identity });
  if (earlier !== undefined) {
    const reason = `the same ${earlier.by} as job ${earlier.ordinal}`;
    return { outcome: 'duplicate', duplicateOf: earlier.ordinal, reason };
  }
  if (job.status === 'valid') return { outcome: 'candidate' };
  const kind = job.invalidKind ?? 'other';
  return { outcome: 'invalid', stage: 'evaluate', failureKind: kind, reason: job.verdict ?? kind };
}

/** An entry for the population with the projection that settling it asks for. */
interface Admission {
  readonly entry: Entry;
  /** Null when no epoch begins with it. */
  readonly fitted: Fitted | null;
}

async function prepare(
  session: Court,
  population: Population,
  job: Settleable,
  signal: AbortSignal,
): Promise<Admission> {
  const entry = entryOf(session.campaign.evaluator.objectives, job, await describe(session, job, signal));
  const due = dueFit(population, entry);
  return { entry, fitted: due === null ? null : await fitAside(due, signal) };
}

async function admit(
  session: Court,
  population: Population,
  trx: Transaction<Tables>,
  { entry, fitted }: Admission,
  settlement: number,
): Promise<NewEvent[]> {
  await putDescriptor(trx, session.campaignId, entry.ordinal, entry.vector);
  const settled = settleEntry(population, entry, fitted === null ? fitProjection : () => fitted);
  return record(session, trx, settled, settlement);
}

/** The descriptor of a candidate, from the repository vector that its evaluation stored and what else it is made of. */
async function describe(court: Court, job: Settleable, signal: AbortSignal): Promise<Float32Array> {
  const { store, campaignId, describer } = court;
  const { ordinal, commit, tree } = job;
  if (commit === null || tree === null) throw new InfrastructureError(`job ${ordinal} has no commit to describe`);
  const key = { campaignId, provider: describer.provider.id, tree };
  const stored = ordinal === 0 ? describer.root : await getRepositoryVector(store.db, key);
  if (stored === undefined) throw new InfrastructureError(`the vector of job ${ordinal} is not in the database`);
  const facts = await describer.facts({ commit, tree }, signal);
  const features = describer.descriptor.needs.includes('features') ? { features: await featuresOf(court, tree) } : {};
  return describer.descriptor.describe({ candidate: stored, root: describer.root, ...facts, ...features });
}

/** What the evaluator said of a candidate and of the root, besides objectives. */
async function featuresOf({ store, campaignId }: Court, tree: string) {
  const { evaluations } = await getJob(store.db, campaignId, 0);
  const candidate = await findEvaluation(store.db, { campaignId, tree, split: 'train' });
  const root = evaluations.find(({ split }) => split === 'train');
  return { candidate: candidate?.features ?? {}, root: root?.features ?? {} };
}

async function record(
  { campaignId }: Court,
  trx: Transaction<Tables>,
  settled: SearchSettlement,
  settlement: number,
): Promise<NewEvent[]> {
  if (settled.kind === 'duplicate' || settled.kind === 'warming') return [];
  const key = { campaignId, island: ISLAND, epoch: settled.epoch };
  if (settled.kind === 'placed') {
    await savePlacements(trx, key, [settled.placement]);
    return [{ campaignId, kind: 'archive.placed', ordinal: settled.placement.ordinal, data: settled.placement }];
  }
  await saveProjection(trx, { ...key, settlement, payload: encodeProjection(settled.projection) });
  await savePlacements(trx, key, settled.placements);
  const data = { epoch: settled.epoch, entries: settled.placements.length };
  return [{ campaignId, kind: 'archive.refitted', data }];
}
