import { type Kysely, sql, type Transaction } from 'kysely';
import type { JobClaim } from './claims.ts';
import { type EvaluationClaim, lockTree } from './evaluations.ts';
import type { JobState, Tables } from './tables.ts';

/** The stage of a job that a person cancelled; such a job says nothing of its base, its coder or its tree. */
export const CANCELLED = 'cancelled';

/** What a job was when it was cancelled, or why it could not be. */
export type Cancelled =
  | { readonly kind: 'cancelled'; readonly was: Exclude<JobState, 'failed' | 'settled'> }
  | { readonly kind: 'refused'; readonly because: 'not there' | 'over' | 'not a job' | 'on trial' };

/**
 * Ends a job that is `queued`, `generating` or `generated` as `failed`, without its candidate. Claims on it and on its measurement are
 * void from then on; a measurement that other jobs wait for goes on in the name of the first of them. The row of the campaign is locked,
 * so that no trial of the job begins at the same time.
 */
export async function cancelJob(
  trx: Transaction<Tables>,
  campaignId: number,
  ordinal: number,
  reason: string,
): Promise<Cancelled> {
  await trx.selectFrom('campaigns').select('id').where('id', '=', campaignId).forNoKeyUpdate().execute();
  const job = await trx
    .selectFrom('jobs')
    .select(['kind', 'state'])
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .forUpdate()
    .executeTakeFirst();
  if (job === undefined) return { kind: 'refused', because: 'not there' };
  if (job.kind === 'root' || job.kind === 'minimised') return { kind: 'refused', because: 'not a job' };
  if (job.state === 'failed' || job.state === 'settled') return { kind: 'refused', because: 'over' };
  if (await isOnTrial(trx, campaignId, ordinal)) return { kind: 'refused', because: 'on trial' };
  await trx
    .updateTable('jobs')
    .set({ state: 'failed', outcome: 'failed', stage: CANCELLED, failureKind: 'user', reason, finishedAt: new Date() })
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .execute();
  const made = await trx
    .deleteFrom('candidates')
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .returning('tree')
    .executeTakeFirst();
  if (made !== undefined) await passOn(trx, campaignId, ordinal, made.tree);
  return { kind: 'cancelled', was: job.state };
}

/** Whether a person cancelled the job. */
export async function isCancelled(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('stage', '=', CANCELLED)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a claim of a job still holds. */
export async function holdsJob(db: Kysely<Tables>, { campaignId, ordinal, attempt }: JobClaim): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('attempt', '=', attempt)
    .where('state', '=', 'generating')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a claim of a measurement still holds. */
export async function holdsEvaluation(db: Kysely<Tables>, claim: EvaluationClaim): Promise<boolean> {
  const { campaignId, tree, split, attempt } = claim;
  const row = await db
    .selectFrom('evaluations')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('tree', '=', tree)
    .where('split', '=', split)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return row !== undefined;
}

async function isOnTrial(trx: Transaction<Tables>, campaignId: number, ordinal: number): Promise<boolean> {
  const trial = await trx
    .selectFrom('trials')
    .select('number')
    .where('campaignId', '=', campaignId)
    .where('challenger', '=', ordinal)
    .where('state', '<>', 'done')
    .executeTakeFirst();
  return trial !== undefined;
}

/** What is not measured yet is measured for another job with this tree, or not at all. */
async function passOn(trx: Transaction<Tables>, campaignId: number, ordinal: number, tree: string): Promise<void> {
  await lockTree(trx, campaignId, tree);
  const unmeasured = sql<boolean>`campaign_id = ${campaignId} and tree = ${tree} and split = 'train' and ordinal = ${ordinal} and state <> 'done'`;
  const next = await trx
    .selectFrom('candidates')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('tree', '=', tree)
    .orderBy('ordinal')
    .executeTakeFirst();
  if (next === undefined) await trx.deleteFrom('evaluations').where(unmeasured).execute();
  else await trx.updateTable('evaluations').set({ ordinal: next.ordinal }).where(unmeasured).execute();
}
