import type { Kysely, Transaction } from 'kysely';
import { z } from 'zod';
import { InfrastructureError } from '../errors.ts';
import type { Describer } from '../pipeline/index.ts';
import { staleness } from '../policy/index.ts';
import {
  dueFit,
  type Entry,
  encodeProjection,
  type Fitted,
  fitProjection,
  type Population,
  type Settlement as SearchSettlement,
  settle as settleEntry,
} from '../qd/index.ts';
import {
  appendEvents,
  findEarlier,
  findEvaluation,
  getJob,
  getRepositoryVector,
  markSettled,
  type NewEvent,
  putDescriptor,
  type Settleable,
  savePlacements,
  saveProjection,
  settleable,
  type Tables,
} from '../store/index.ts';
import { fitAside } from './fit/index.ts';
import { entryOf, type Ledger } from './restore.ts';
import type { SettledJob } from './tally.ts';

/** The part of a stored decision that tells how much its policy had seen. */
const versionSchema = z.object({ version: z.int() });

/** The part of a session that settling looks at. */
export type Court = Ledger & {
  readonly describer: Pick<Describer, 'provider' | 'descriptor' | 'root' | 'facts'>;
};

/** What settling needs besides the session. */
export interface SettleOptions {
  readonly onSettled: (job: SettledJob) => void;
  /** Ends a fit that is under way. */
  readonly signal: AbortSignal;
}

/**
 * Settles every job whose fate is known, in the order of the schedule: each in one transaction that holds its verdict, its
 * placements and its events. Returns how many. When it throws, `islands` may be ahead of the database and must be restored.
 */
export async function settleReady(
  session: Court,
  islands: readonly Population[],
  options: SettleOptions,
): Promise<number> {
  const { mode, size } = session.campaign.search.schedule;
  const order = mode === 'batch' ? 'ordinal' : 'done';
  const jobs = await settleable(session.store.db, session.campaignId, { order, limit: size + 1 });
  for (const job of jobs) options.onSettled(await settleJob(session, islands, job, options.signal));
  return jobs.length;
}

/** Nobody else settles, so what is read before the transaction still holds in it; a fit would keep the database waiting. */
async function settleJob(
  session: Court,
  islands: readonly Population[],
  job: Settleable,
  signal: AbortSignal,
): Promise<SettledJob> {
  const { campaignId, store } = session;
  const { ordinal, commit, title } = job;
  const fate = { ...(await fateOf(store.db, campaignId, job)), ...stalenessOf(islands, job) };
  const admissions = fate.outcome === 'candidate' ? await prepare(session, islands, job, signal) : [];
  await store.db.transaction().execute(async (trx) => {
    const settlement = await markSettled(trx, campaignId, { ordinal, ...fate });
    const events: NewEvent[] = [{ campaignId, kind: 'job.settled', ordinal, data: fate }];
    for (const admission of admissions) events.push(...(await admit(session, trx, admission, settlement)));
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
    staleness: fate.staleness ?? null,
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

/** How old the knowledge was that the job was planned with. The root was planned with none. */
function stalenessOf(islands: readonly Population[], { decision, island }: Settleable): { staleness?: number } {
  const planned = versionSchema.safeParse(decision);
  const population = islands[island];
  if (!planned.success || population === undefined) return {};
  return { staleness: staleness(planned.data, population.history.length) };
}

/** An entry for the population of an island with the projection that settling it asks for. */
interface Admission {
  readonly island: number;
  readonly population: Population;
  readonly entry: Entry;
  /** Null when no epoch begins with it. */
  readonly fitted: Fitted | null;
}

async function prepare(
  session: Court,
  islands: readonly Population[],
  job: Settleable,
  signal: AbortSignal,
): Promise<Admission[]> {
  const entry = entryOf(session.campaign, job, await describe(session, job, signal));
  const admissions: Admission[] = [];
  for (const [island, population] of islands.entries()) {
    // The root lives on every island, another candidate on the one it was planned for.
    if (job.ordinal !== 0 && job.island !== island) continue;
    const due = dueFit(population, entry);
    const fitted = due === null ? null : await fitAside(due, signal);
    admissions.push({ island, population, entry, fitted });
  }
  return admissions;
}

async function admit(
  { campaignId }: Court,
  trx: Transaction<Tables>,
  { island, population, entry, fitted }: Admission,
  settlement: number,
): Promise<NewEvent[]> {
  await putDescriptor(trx, campaignId, entry.ordinal, entry.vector);
  const settled = settleEntry(population, entry, fitted === null ? fitProjection : () => fitted);
  return record(trx, { campaignId, island }, settled, settlement);
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
  trx: Transaction<Tables>,
  { campaignId, island }: { readonly campaignId: number; readonly island: number },
  settled: SearchSettlement,
  settlement: number,
): Promise<NewEvent[]> {
  if (settled.kind === 'duplicate' || settled.kind === 'warming') return [];
  const key = { campaignId, island, epoch: settled.epoch };
  if (settled.kind === 'placed') {
    await savePlacements(trx, key, [settled.placement]);
    return [{ campaignId, kind: 'archive.placed', ordinal: settled.placement.ordinal, data: settled.placement }];
  }
  await saveProjection(trx, { ...key, settlement, payload: encodeProjection(settled.projection) });
  await savePlacements(trx, key, settled.placements);
  const data = { island, epoch: settled.epoch, entries: settled.placements.length };
  return [{ campaignId, kind: 'archive.refitted', data }];
}
