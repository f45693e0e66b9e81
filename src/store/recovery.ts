import { type Kysely, sql, type Transaction } from 'kysely';
import type { EvaluationKey } from './evaluations.ts';
import type { Tables } from './tables.ts';
import type { TrialKey } from './trials.ts';

/** Work that is to be enqueued again, in the order in which it was planned. */
export interface Unfinished {
  readonly jobs: readonly number[];
  readonly evaluations: readonly EvaluationKey[];
  readonly trials: readonly TrialKey[];
}

/** What waits for a worker. */
export async function unfinished(db: Kysely<Tables>, campaignId: number): Promise<Unfinished> {
  const jobs = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('settlement', 'is', null)
    .where('state', '=', 'queued')
    .orderBy('ordinal')
    .execute();
  const evaluations = await db
    .selectFrom('evaluations')
    .select(['campaignId', 'tree', 'split'])
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'pending')
    .orderBy('ordinal')
    .orderBy('split')
    .execute();
  const trials = await db
    .selectFrom('trials')
    .select(['campaignId', 'number as trial'])
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'pending')
    .where('measurements', 'is', null)
    .execute();
  return { jobs: jobs.map((job) => job.ordinal), evaluations, trials };
}

/** Claimed by nobody who lives and works on it. */
const abandoned = (idle: string | null) =>
  sql<boolean>`(worker = ${idle} or not exists (select 1 from workers where workers.id = worker and workers.state <> 'gone'))`;

/** Whether a worker that is gone still holds something of a campaign. */
export async function hasAbandoned(db: Kysely<Tables>, campaignId: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('settlement', 'is', null)
    .where('state', '=', 'generating')
    .where(abandoned(null))
    .unionAll(
      db
        .selectFrom('evaluations')
        .select('ordinal')
        .where('campaignId', '=', campaignId)
        .where('state', '=', 'running')
        .where(abandoned(null)),
    )
    .unionAll(
      db
        .selectFrom('trials')
        .select('number as ordinal')
        .where('campaignId', '=', campaignId)
        .where('state', '=', 'running')
        .where('measurements', 'is', null)
        .where(abandoned(null)),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Takes back what nobody works on any more: claims of workers that are gone go back to `queued` or `pending`. The next claim raises the
 * attempt, which shuts such a worker out should it only have been suspended, or cut off. Returns all that waits, to be enqueued in the same
 * transaction.
 * @param idle a worker that lives and works on nothing of it: what it holds was left when it could not write
 */
export async function reclaimUnfinished(
  trx: Transaction<Tables>,
  campaignId: number,
  idle: string | null,
): Promise<Unfinished> {
  await trx
    .updateTable('jobs')
    .set({ state: 'queued', startedAt: null })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'generating')
    .where(abandoned(idle))
    .execute();
  await trx
    .updateTable('evaluations')
    .set({ state: 'pending', startedAt: null })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'running')
    .where(abandoned(idle))
    .execute();
  await trx
    .updateTable('trials')
    .set({ state: 'pending', startedAt: null })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'running')
    .where(abandoned(idle))
    // What is measured waits for its settlement, not for a worker.
    .where('measurements', 'is', null)
    .execute();
  return unfinished(trx, campaignId);
}

/** What a ref of the hub should hold. */
export interface HeldCommit {
  readonly ordinal: number;
  /** Of a proposal that went back; null: the job's own. */
  readonly round: number | null;
  /** Null: the job ended without a candidate, so there should be no ref. */
  readonly commit: string | null;
}

/** The commits of all jobs on which nobody works, and of all proposals that went back. */
export async function heldCommits(db: Kysely<Tables>, campaignId: number): Promise<HeldCommit[]> {
  const jobs = await db
    .selectFrom('jobs')
    .leftJoin('candidates', (join) =>
      join.onRef('candidates.campaignId', '=', 'jobs.campaignId').onRef('candidates.ordinal', '=', 'jobs.ordinal'),
    )
    .select(['jobs.ordinal', 'candidates.commit'])
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.state', 'in', ['generated', 'failed', 'settled'])
    .where('jobs.ordinal', '>', 0)
    .orderBy('jobs.ordinal')
    .execute();
  const revisions = await db
    .selectFrom('revisions')
    .select(['ordinal', 'round', 'commit'])
    .where('campaignId', '=', campaignId)
    .orderBy('ordinal')
    .orderBy('round')
    .execute();
  return [...jobs.map((job) => ({ ...job, round: null })), ...revisions];
}

/** Commits whose loss was recorded already. */
export async function lostBefore(db: Kysely<Tables>, campaignId: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('events')
    .select(sql<string>`data ->> 'commit'`.as('commit'))
    .where('campaignId', '=', campaignId)
    .where('kind', '=', 'job.lost')
    .execute();
  return new Set(rows.map(({ commit }) => commit));
}
