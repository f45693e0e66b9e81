import { type Kysely, sql, type Transaction } from 'kysely';
import { ConflictError } from '../errors.ts';
import { jobsWithFates } from './joined.ts';
import { type JobSummary, SUMMARY_COLUMNS } from './ledger.ts';
import type { EvaluationRow, Intervals, JobState, Numbers, Outcome, Tables } from './tables.ts';

/** A job whose fate is known and only has to be written into the settlement order. */
export interface Settleable extends JobSummary {
  readonly commit: string | null;
  readonly tree: string | null;
  /** Null when the job ended without a candidate. */
  readonly status: EvaluationRow['status'];
  readonly invalidKind: string | null;
  readonly objectives: Numbers | null;
  readonly intervals: Intervals | null;
  /** What the search goes by. */
  readonly scores: Numbers | null;
  readonly identity: string | null;
  /** The evaluator's one line. */
  readonly verdict: string | null;
}

/** A job that is not settled, with what is known of its candidate. */
export interface Unsettled extends Settleable {
  readonly evaluationState: EvaluationRow['state'] | null;
  readonly measuredAt: Date | null;
}

/** The unsettled jobs from the lowest ordinal on; `limit` must not be below the number that there may be. */
export async function unsettled(db: Kysely<Tables>, campaignId: number, limit = 64): Promise<Unsettled[]> {
  return jobsWithFates(db)
    .select(SUMMARY_COLUMNS.map((column) => `jobs.${column}` as const))
    .select([
      'candidates.commit',
      'candidates.tree',
      'evaluations.state as evaluationState',
      'evaluations.status',
      'evaluations.kind as invalidKind',
      'evaluations.objectives',
      'evaluations.intervals',
      'evaluations.scores',
      'evaluations.identity',
      'evaluations.summary as verdict',
      'evaluations.finishedAt as measuredAt',
    ])
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.settlement', 'is', null)
    .orderBy('jobs.ordinal')
    .limit(limit)
    .execute();
}

/**
 * Of unsettled jobs in ordinal order those that can be settled now: from the lowest on, up to the first that is not final.
 * Final is a job that `failed`, or one that is `generated` and whose tree's `train` evaluation is `done`, if it does not go back to its
 * coder. Ordinal order, and no other, is what makes the result independent of who finished first. Or, for a streaming schedule (`done`),
 * all that are final, in the order in which they became so. Pure.
 */
export function settleable(
  jobs: readonly Unsettled[],
  order: 'ordinal' | 'done',
  goesBack: (job: Unsettled) => boolean = () => false,
): Unsettled[] {
  const isFinal = (job: Unsettled): boolean =>
    job.state === 'failed' || (job.state === 'generated' && job.evaluationState === 'done' && !goesBack(job));
  const doneAt = (job: Unsettled): number => Math.max(job.finishedAt?.getTime() ?? 0, job.measuredAt?.getTime() ?? 0);
  if (order === 'done') return jobs.filter(isFinal).sort((a, b) => doneAt(a) - doneAt(b) || a.ordinal - b.ordinal);
  const firstOpen = jobs.findIndex((job) => !isFinal(job));
  return firstOpen === -1 ? [...jobs] : jobs.slice(0, firstOpen);
}

/** How a job is settled. `stage`, `kind` and `reason` are those of a failure and keep what is there when absent. */
export interface Settlement {
  readonly ordinal: number;
  /** What the job was when its fate was looked up; when it is something else by now it is not settled. */
  readonly was?: JobState;
  readonly outcome: Outcome;
  readonly duplicateOf?: number;
  readonly stage?: string;
  readonly failureKind?: string;
  readonly reason?: string;
  /** Entries that the job's island took since the job was planned: how old what it knew was. */
  readonly staleness?: number;
}

/**
 * Gives a final job the next place in the settlement order and returns that place, from 0.
 * @throws ConflictError when it is settled already or not final: each job is considered exactly once.
 */
export async function markSettled(
  trx: Transaction<Tables>,
  campaignId: number,
  settlement: Settlement,
): Promise<number> {
  const { ordinal, was, outcome, duplicateOf, stage, failureKind, reason, staleness } = settlement;
  const row = await trx
    .updateTable('jobs')
    .set({
      state: 'settled',
      outcome,
      settlement: sql<number>`(select coalesce(max(s.settlement), -1) + 1 from jobs s where s.campaign_id = ${campaignId})`,
      settledAt: new Date(),
      ...(duplicateOf === undefined ? {} : { duplicateOf }),
      ...(stage === undefined ? {} : { stage }),
      ...(failureKind === undefined ? {} : { failureKind }),
      ...(reason === undefined ? {} : { reason }),
      ...(staleness === undefined ? {} : { staleness }),
    })
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('state', 'in', was === undefined ? ['generated', 'failed'] : [was])
    .returning('settlement')
    .executeTakeFirst();
  if (row?.settlement === undefined || row.settlement === null) {
    throw new ConflictError(
      `job ${ordinal} of campaign ${campaignId} cannot be settled: it is settled already or not final`,
    );
  }
  return row.settlement;
}

export interface Earlier {
  readonly ordinal: number;
  readonly by: 'tree' | 'identity';
}

/**
 * The settled candidate that a new one repeats: the earliest with the same tree, else the earliest valid one with the same
 * identity. Undefined when it is new.
 */
export async function findEarlier(
  db: Kysely<Tables>,
  campaignId: number,
  sought: { readonly tree: string; readonly identity: string | null },
): Promise<Earlier | undefined> {
  const sameTree = await db
    .selectFrom('candidates')
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.campaignId', '=', 'candidates.campaignId').onRef('jobs.ordinal', '=', 'candidates.ordinal'),
    )
    .select('candidates.ordinal')
    .where('candidates.campaignId', '=', campaignId)
    .where('candidates.tree', '=', sought.tree)
    .where('jobs.settlement', 'is not', null)
    .orderBy('candidates.ordinal')
    .executeTakeFirst();
  if (sameTree !== undefined) return { ordinal: sameTree.ordinal, by: 'tree' };
  if (sought.identity === null) return undefined;
  const sameIdentity = await db
    .selectFrom('evaluations')
    .innerJoin('candidates', (join) =>
      join
        .onRef('candidates.campaignId', '=', 'evaluations.campaignId')
        .onRef('candidates.tree', '=', 'evaluations.tree'),
    )
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.campaignId', '=', 'candidates.campaignId').onRef('jobs.ordinal', '=', 'candidates.ordinal'),
    )
    .select('jobs.ordinal')
    .where('evaluations.campaignId', '=', campaignId)
    .where('evaluations.split', '=', 'train')
    .where('evaluations.identity', '=', sought.identity)
    .where('jobs.outcome', '=', 'candidate')
    .where('jobs.settlement', 'is not', null)
    .orderBy('jobs.ordinal')
    .executeTakeFirst();
  return sameIdentity === undefined ? undefined : { ordinal: sameIdentity.ordinal, by: 'identity' };
}
