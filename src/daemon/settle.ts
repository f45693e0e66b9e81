import type { Transaction } from 'kysely';
import { InfrastructureError } from '../errors.ts';
import {
  decodeProjection,
  type Entry,
  encodeProjection,
  type Fit,
  fitProjection,
  orient,
  type Population,
  restorePopulation,
  type Settlement as SearchSettlement,
  settle as settleEntry,
} from '../qd/index.ts';
import {
  appendEvents,
  findEarlier,
  getRepositoryVector,
  history,
  listProjections,
  markSettled,
  type NewEvent,
  putDescriptor,
  type Settleable,
  savePlacements,
  saveProjection,
  settleable,
  type Tables,
} from '../store/index.ts';
import type { Session } from './session.ts';
import type { SettledJob } from './tally.ts';

const ISLAND = 0;

/** Replays the settled history: the population as it was, under the projections that were fitted then. */
export async function restore(session: Session): Promise<Population> {
  const { store, campaignId, campaign } = session;
  const { objectives } = campaign.evaluator;
  const stored = new Map(
    (await listProjections(store.db, campaignId, ISLAND)).map((row) => [row.epoch, decodeProjection(row.payload)]),
  );
  const recall: Fit = (vectors, settings, previous, epoch) =>
    stored.get(epoch) ?? fitProjection(vectors, settings, previous);
  const entries = (await history(store.db, campaignId, ISLAND)).map(
    (entry): Entry => ({
      ordinal: entry.ordinal,
      point: orient(objectives, entry.objectives),
      vector: entry.vector,
    }),
  );
  return restorePopulation({ ...campaign.search, objectives }, entries, recall);
}

/**
 * Settles, in ordinal order, every job whose fate is known: each in one transaction that holds its verdict, its placement
 * and its events. When it throws, `population` may be ahead of the database and must be restored.
 */
export async function settleReady(
  session: Session,
  population: Population,
  onSettled: (job: SettledJob) => void,
): Promise<number> {
  const jobs = await settleable(session.store.db, session.campaignId);
  for (const job of jobs) {
    const settled = await session.store.db.transaction().execute((trx) => settleJob(session, population, trx, job));
    onSettled(settled);
  }
  return jobs.length;
}

async function settleJob(
  session: Session,
  population: Population,
  trx: Transaction<Tables>,
  job: Settleable,
): Promise<SettledJob> {
  const { campaignId } = session;
  const { ordinal, commit, title } = job;
  const fate = await fateOf(session, trx, job);
  const settlement = await markSettled(trx, campaignId, { ordinal, ...fate });
  const events: NewEvent[] = [{ campaignId, kind: 'job.settled', ordinal, data: fate }];
  if (fate.outcome === 'candidate') events.push(...(await admit(session, population, trx, job, settlement)));
  await appendEvents(trx, events);
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
async function fateOf({ campaignId }: Session, trx: Transaction<Tables>, job: Settleable): Promise<Fate> {
  const { stage, failureKind, reason } = job;
  if (job.tree === null) {
    return {
      outcome: job.outcome ?? 'failed',
      ...(stage === null ? {} : { stage }),
      ...(failureKind === null ? {} : { failureKind }),
      ...(reason === null ? {} : { reason }),
    };
  }
  const earlier = await findEarlier(trx, campaignId, { tree: job.tree, identity: job.identity });
  if (earlier !== undefined) {
    const reason = `the same ${earlier.by} as job ${earlier.ordinal}`;
    return { outcome: 'duplicate', duplicateOf: earlier.ordinal, reason };
  }
  if (job.status === 'valid') return { outcome: 'candidate' };
  const kind = job.invalidKind ?? 'other';
  return { outcome: 'invalid', stage: 'evaluate', failureKind: kind, reason: job.verdict ?? kind };
}

async function admit(
  session: Session,
  population: Population,
  trx: Transaction<Tables>,
  job: Settleable,
  settlement: number,
): Promise<NewEvent[]> {
  const { campaignId, campaign } = session;
  const vector = await describe(session, trx, job);
  await putDescriptor(trx, campaignId, job.ordinal, vector);
  const point = orient(campaign.evaluator.objectives, job.objectives ?? {});
  const settled = settleEntry(population, { ordinal: job.ordinal, point, vector });
  return record(session, trx, settled, settlement);
}

/** The descriptor of a candidate, from the repository vector that its evaluation stored. */
async function describe(session: Session, trx: Transaction<Tables>, job: Settleable): Promise<Float32Array> {
  const { campaignId, describer } = session;
  const tree = job.tree ?? '';
  const stored =
    job.ordinal === 0
      ? describer.root
      : await getRepositoryVector(trx, { campaignId, provider: describer.provider.id, tree });
  if (stored === undefined) throw new InfrastructureError(`the vector of job ${job.ordinal} is not in the database`);
  return describer.descriptor.describe({ candidate: stored, root: describer.root });
}

async function record(
  { campaignId }: Session,
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
