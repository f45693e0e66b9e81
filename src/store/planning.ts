import type { Kysely, Transaction } from 'kysely';
import { ConflictError } from '../errors.ts';
import { type Json, toJson } from './json.ts';
import type { Tables } from './tables.ts';

/** A job as a policy planned it. */
export interface PlannedJob {
  readonly ordinal: number;
  readonly island: number;
  readonly base: number;
  readonly inspirations: readonly number[];
  readonly decision: unknown;
  readonly batch: number;
  /** The name of the coder that is asked. */
  readonly coder?: string;
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
        coder: job.coder ?? null,
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

/** The ordinal of the next job, for this transaction alone: whoever else asks waits for its end. */
export async function reserveOrdinal(trx: Transaction<Tables>, campaignId: number): Promise<number> {
  await trx.selectFrom('campaigns').select('id').where('id', '=', campaignId).forUpdate().executeTakeFirst();
  return nextOrdinal(trx, campaignId);
}

/** The ordinal that the next job will have, if none comes in between. */
export async function nextOrdinal(db: Kysely<Tables>, campaignId: number): Promise<number> {
  const { last } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.max<number | null>('ordinal').as('last'))
    .where('campaignId', '=', campaignId)
    .executeTakeFirstOrThrow();
  return (last ?? -1) + 1;
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
export async function jobsInFlight(
  db: Kysely<Tables>,
  campaignId: number,
): Promise<(RecipeRow & { readonly coder: string | null })[]> {
  return db
    .selectFrom('jobs')
    .select(['ordinal', 'island', 'baseOrdinal', 'inspirations', 'coder'])
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

/** A job that was planned before another, with its place in the settlement order. */
export interface EarlierJob extends RecipeRow {
  readonly settlement: number | null;
}

/** All jobs planned before the one of this ordinal, by ordinal. */
export async function jobsBefore(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<EarlierJob[]> {
  return db
    .selectFrom('jobs')
    .select(['ordinal', 'island', 'baseOrdinal', 'inspirations', 'settlement'])
    .where('campaignId', '=', campaignId)
    .where('ordinal', '<', ordinal)
    .where('kind', '=', 'generate')
    .orderBy('ordinal')
    .execute();
}

/** What there was when a job was planned. */
export interface Planning {
  /** The first ordinal that was free for a policy: seeds and other tries come before it. */
  readonly first: number;
  /** Jobs that the policies planned at once with it, itself among them. */
  readonly count: number;
  /** Jobs settled before, the root among them: their places in the settlement order are below this. */
  readonly settled: number;
}

/** What the event of a job's planning holds; null for the root, and where the event is gone. */
export async function plannedWith(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<Json | null> {
  const event = await db
    .selectFrom('events')
    .select('data')
    .where('campaignId', '=', campaignId)
    .where('kind', '=', 'job.planned')
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
  return event?.data ?? null;
}

/** The ordinal of the base of a job; null for the root. */
export async function baseOf(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<number | null> {
  const job = await db
    .selectFrom('jobs')
    .select('baseOrdinal')
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
  return job?.baseOrdinal ?? null;
}

/**
 * When a job was planned, read from the order of the events; undefined for what no policy planned, the root, seeds and other tries, and
 * where its event is gone.
 */
export async function planningOf(
  db: Kysely<Tables>,
  campaignId: number,
  { ordinal, batch }: { readonly ordinal: number; readonly batch: number | null },
): Promise<Planning | undefined> {
  const planned = await db
    .selectFrom('events')
    .select('id')
    .where('campaignId', '=', campaignId)
    .where('kind', '=', 'job.planned')
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
  if (planned === undefined || batch === null) return undefined;
  const { settled } = await db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number>().as('settled'))
    .where('campaignId', '=', campaignId)
    .where('kind', '=', 'job.settled')
    .where('id', '<', planned.id)
    .executeTakeFirstOrThrow();
  const { first, count } = await db
    .selectFrom('jobs')
    .select((eb) => [eb.fn.min<number | null>('ordinal').as('first'), eb.fn.countAll<number>().as('count')])
    .where('campaignId', '=', campaignId)
    .where('batch', '=', batch)
    .where('kind', '=', 'generate')
    .where('ordinal', 'not in', (eb) =>
      eb.selectFrom('retries').select('ordinal').where('campaignId', '=', campaignId).where('ordinal', 'is not', null),
    )
    .executeTakeFirstOrThrow();
  return first === null || ordinal < first ? undefined : { first, count, settled };
}
