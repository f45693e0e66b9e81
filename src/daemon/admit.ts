import type { Transaction } from 'kysely';
import { InfrastructureError } from '../errors.ts';
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
  findEvaluation,
  getJob,
  getRepositoryVector,
  type NewEvent,
  putDescriptor,
  type Settleable,
  savePlacements,
  saveProjection,
  type Tables,
} from '../store/index.ts';
import { fitAside } from './fit/index.ts';
import { entryOf } from './restore.ts';
import type { Court } from './settle.ts';
import type { Standing } from './trials/index.ts';

/** An entry for the population of an island with the projection that settling it asks for. */
export interface Admission {
  readonly island: number;
  readonly population: Population;
  readonly entry: Entry;
  /** Null when no epoch begins with it. */
  readonly fitted: Fitted | null;
}

/** What settling a candidate asks for on each island that takes it; the root lives on every one. */
export async function prepare(
  session: Court,
  islands: readonly Population[],
  { job, standing }: { readonly job: Settleable; readonly standing: Standing },
  signal: AbortSignal,
): Promise<Admission[]> {
  const entry = entryOf(session.campaign, job.ordinal, standing, await describe(session, job, signal));
  const admissions: Admission[] = [];
  for (const [island, population] of islands.entries()) {
    if (job.ordinal !== 0 && job.island !== island) continue;
    const due = dueFit(population, entry);
    const fitted = due === null ? null : await fitAside(due, signal);
    admissions.push({ island, population, entry, fitted });
  }
  return admissions;
}

/** Offers the entry to its population and writes what came of it. */
export async function admit(
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
