import type { Kysely, Transaction } from 'kysely';
import { storable, toJson } from './json.ts';
import type { SeedRow, Tables } from './tables.ts';

/** A commit of the user on the root. */
export interface NewSeed {
  readonly tree: string;
  readonly commit: string;
  /** Where it came from: a commit id or the name of a file. */
  readonly source: string;
  readonly title: string;
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly changedPaths: readonly string[];
}

/** What became of an import. `job` is null while the seed waits. */
export interface Sown {
  readonly added: boolean;
  readonly job: number | null;
}

/** Puts a seed into the queue of its campaign, unless its tree waits there or is a job already, whoever made it. */
export async function sowSeed(trx: Transaction<Tables>, campaignId: number, seed: NewSeed): Promise<Sown> {
  const job = await jobOfTree(trx, campaignId, seed.tree);
  if (job !== null) return { added: false, job };
  return { added: await addSeed(trx, campaignId, seed, 'seed'), job: null };
}

/** The first job with a tree. */
export async function jobOfTree(db: Kysely<Tables>, campaignId: number, tree: string): Promise<number | null> {
  const known = await db
    .selectFrom('candidates')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('tree', '=', tree)
    .orderBy('ordinal')
    .limit(1)
    .executeTakeFirst();
  return known?.ordinal ?? null;
}

/** False when the tree is there. */
async function addSeed(
  trx: Transaction<Tables>,
  campaignId: number,
  seed: NewSeed,
  kind: SeedRow['kind'],
): Promise<boolean> {
  const made = await trx
    .insertInto('seeds')
    .values({
      ...seed,
      kind,
      campaignId,
      source: storable(seed.source),
      title: storable(seed.title),
      changedPaths: toJson(seed.changedPaths),
    })
    .onConflict((conflict) => conflict.columns(['campaignId', 'tree']).doNothing())
    .returning('id')
    .execute();
  return made.length === 1;
}

/** The seeds that are no jobs yet, in the order in which they came. */
export async function waitingSeeds(db: Kysely<Tables>, campaignId: number, limit: number): Promise<SeedRow[]> {
  return db
    .selectFrom('seeds')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Where a seed enters the search. */
export interface PlannedSeed {
  readonly seed: SeedRow;
  /** The root's. */
  readonly parentCommit: string;
  readonly ordinal: number;
  readonly island: number;
  readonly decision: unknown;
  /** Null when it was planned with no others. */
  readonly batch: number | null;
  readonly summary?: string;
}

/** Writes seeds as jobs on the root that are generated already, each with its candidate. */
export async function planSeeds(
  trx: Transaction<Tables>,
  campaignId: number,
  planned: readonly PlannedSeed[],
  kind: SeedRow['kind'] = 'seed',
): Promise<void> {
  for (const { seed, parentCommit, ordinal, island, decision, batch, summary } of planned) {
    await trx
      .insertInto('jobs')
      .values({
        ...{ campaignId, ordinal, island, batch },
        kind,
        baseOrdinal: 0,
        inspirations: toJson([]),
        decision: toJson(decision),
        state: 'generated',
        title: seed.title,
        summary: summary === undefined ? null : storable(summary),
        finishedAt: new Date(),
      })
      .execute();
    const { commit, tree, files, added, deleted } = seed;
    await trx
      .insertInto('candidates')
      .values({
        ...{ campaignId, ordinal, commit, tree, parentCommit, files, added, deleted },
        changedPaths: toJson(seed.changedPaths),
      })
      .execute();
    await trx.updateTable('seeds').set({ ordinal }).where('id', '=', seed.id).execute();
  }
}

/** Writes a minimised candidate as a job on the root. It does not wait for a planning, since no budget is charged for it. */
export async function planMinimised(
  trx: Transaction<Tables>,
  campaignId: number,
  seed: NewSeed,
  planned: Omit<PlannedSeed, 'seed' | 'batch'>,
): Promise<void> {
  await addSeed(trx, campaignId, seed, 'minimised');
  const row = await trx
    .selectFrom('seeds')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('tree', '=', seed.tree)
    .executeTakeFirstOrThrow();
  await planSeeds(trx, campaignId, [{ ...planned, seed: row, batch: null }], 'minimised');
}

/** Whether the root was measured and found valid: what the campaign's other candidates are compared with. */
export async function hasValidRoot(db: Kysely<Tables>, campaignId: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', 0)
    .where('outcome', '=', 'candidate')
    .executeTakeFirst();
  return row !== undefined;
}
