import type { Kysely, Transaction } from 'kysely';
import type { EvaluationKey } from './evaluations.ts';
import type { Tables } from './tables.ts';
import type { TrialKey } from './trials.ts';

/** Work that is to be enqueued again, in the order in which it was planned. */
export interface Unfinished {
  readonly jobs: readonly number[];
  readonly evaluations: readonly EvaluationKey[];
  readonly trials: readonly TrialKey[];
}

/** What is waiting or under way. */
export async function unfinished(db: Kysely<Tables>, campaignId: number): Promise<Unfinished> {
  const jobs = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('settlement', 'is', null)
    .where('state', 'in', ['queued', 'generating'])
    .orderBy('ordinal')
    .execute();
  const evaluations = await db
    .selectFrom('evaluations')
    .select(['campaignId', 'tree', 'split'])
    .where('campaignId', '=', campaignId)
    .where('state', '<>', 'done')
    .orderBy('ordinal')
    .orderBy('split')
    .execute();
  const trials = await db
    .selectFrom('trials')
    .select(['campaignId', 'number as trial'])
    .where('campaignId', '=', campaignId)
    .where('state', '<>', 'done')
    .where('measurements', 'is', null)
    .execute();
  return { jobs: jobs.map((job) => job.ordinal), evaluations, trials };
}

/**
 * What a daemon does with a campaign when it starts: nobody else works on it, so what is `generating` or `running` belonged to a dead
 * process and goes back to `queued` or `pending`. The next claim raises the attempt, which shuts out that process should it only have been
 * suspended. Returns all that waits, to be enqueued in the same transaction into a cleared queue.
 */
export async function reclaimUnfinished(trx: Transaction<Tables>, campaignId: number): Promise<Unfinished> {
  await trx
    .updateTable('jobs')
    .set({ state: 'queued', startedAt: null })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'generating')
    .execute();
  await trx
    .updateTable('evaluations')
    .set({ state: 'pending', startedAt: null })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'running')
    .execute();
  await trx
    .updateTable('trials')
    .set({ state: 'pending', startedAt: null })
    .where('campaignId', '=', campaignId)
    .where('state', '=', 'running')
    // What is measured waits for its settlement, not for a worker.
    .where('measurements', 'is', null)
    .execute();
  return unfinished(trx, campaignId);
}
