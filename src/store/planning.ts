import type { Kysely, Transaction } from 'kysely';
import { ConflictError } from '../errors.ts';
import { toJson } from './json.ts';
import type { Tables } from './tables.ts';

/** A job as a policy planned it. */
export interface PlannedJob {
  readonly ordinal: number;
  readonly island: number;
  readonly base: number;
  readonly inspirations: readonly number[];
  readonly decision: unknown;
  readonly batch: number;
}

/**
 * Writes the rows of planned jobs, in state `queued`.
 * @throws ConflictError when one of the ordinals exists: another planner was faster.
 */
export async function planJobs(
  trx: Transaction<Tables>,
  campaignId: number,
  jobs: readonly PlannedJob[],
): Promise<void> {
  if (jobs.length === 0) return;
  const rows = await trx
    .insertInto('jobs')
    .values(
      jobs.map((job) => ({
        campaignId,
        ordinal: job.ordinal,
        kind: 'generate' as const,
        island: job.island,
        baseOrdinal: job.base,
        inspirations: toJson(job.inspirations),
        decision: toJson(job.decision),
        batch: job.batch,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning('ordinal')
    .execute();
  if (rows.length !== jobs.length) {
    throw new ConflictError(
      `jobs ${jobs.map((job) => job.ordinal).join(', ')} of campaign ${campaignId} are already planned`,
    );
  }
}

/** Writes the root as job 0 with its candidate. False, and nothing written, when it is there. */
export async function planRoot(
  trx: Transaction<Tables>,
  campaignId: number,
  root: { readonly commit: string; readonly tree: string; readonly title: string },
): Promise<boolean> {
  const made = await trx
    .insertInto('jobs')
    .values({
      campaignId,
      ordinal: 0,
      kind: 'root',
      inspirations: toJson([]),
      state: 'generated',
      title: root.title,
      finishedAt: new Date(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('ordinal')
    .execute();
  if (made.length === 0) return false;
  await trx
    .insertInto('candidates')
    .values({
      campaignId,
      ordinal: 0,
      commit: root.commit,
      tree: root.tree,
      files: 0,
      added: 0,
      deleted: 0,
      changedPaths: toJson([]),
    })
    .execute();
  return true;
}

/** The jobs that are planned and not settled, by ordinal. */
export async function jobsInFlight(db: Kysely<Tables>, campaignId: number): Promise<RecipeRow[]> {
  return db
    .selectFrom('jobs')
    .select(['ordinal', 'island', 'baseOrdinal', 'inspirations'])
    .where('campaignId', '=', campaignId)
    .where('kind', '=', 'generate')
    .where('settlement', 'is', null)
    .orderBy('ordinal')
    .execute();
}

export interface RecipeRow {
  readonly ordinal: number;
  readonly island: number;
  readonly baseOrdinal: number | null;
  readonly inspirations: readonly number[];
}

/** The recipes of the last `count` planned jobs of an island, the latest first. */
export async function recentRecipes(
  db: Kysely<Tables>,
  campaignId: number,
  island: number,
  count: number,
): Promise<RecipeRow[]> {
  return db
    .selectFrom('jobs')
    .select(['ordinal', 'island', 'baseOrdinal', 'inspirations'])
    .where('campaignId', '=', campaignId)
    .where('island', '=', island)
    .where('kind', '=', 'generate')
    .orderBy('ordinal', 'desc')
    .limit(count)
    .execute();
}
