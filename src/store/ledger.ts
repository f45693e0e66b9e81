import type { Kysely, Selectable } from 'kysely';
import { NotFoundError } from '../errors.ts';
import { jobsWithFates } from './joined.ts';
import type { CandidateRow, EvaluationRow, JobRow, JobState, JobTable, Outcome, Tables } from './tables.ts';

/** The columns of a job that are small: all but what agents were told and said. */
export type JobSummary = Omit<JobRow, 'brief' | 'plan' | 'transcript' | 'tidiedAt'>;

export const SUMMARY_COLUMNS = [
  'campaignId',
  'ordinal',
  'kind',
  'island',
  'baseOrdinal',
  'inspirations',
  'decision',
  'batch',
  'state',
  'outcome',
  'stage',
  'failureKind',
  'reason',
  'duplicateOf',
  'attempt',
  'worker',
  'round',
  'settlement',
  'staleness',
  'title',
  'summary',
  'usage',
  'coder',
  'queuedAt',
  'startedAt',
  'finishedAt',
  'settledAt',
] as const satisfies readonly (keyof Selectable<JobTable>)[];

export interface JobFilter {
  readonly states?: readonly JobState[];
  readonly outcomes?: readonly Outcome[];
  readonly island?: number;
}

export interface JobPage {
  readonly order: 'ascending' | 'descending';
  /** The last ordinal of the page before this one. */
  readonly after?: number;
  readonly limit: number;
}

/** One line of the ledger; the columns of candidate and evaluation are null where there is none. */
export interface JobLine extends JobSummary {
  readonly commit: string | null;
  readonly tree: string | null;
  readonly added: number | null;
  readonly deleted: number | null;
  readonly evaluationState: EvaluationRow['state'] | null;
  readonly status: EvaluationRow['status'];
  readonly kindOfInvalid: string | null;
  readonly objectives: EvaluationRow['objectives'];
  readonly scores: EvaluationRow['scores'];
  readonly verdictSummary: string | null;
  readonly durationMs: number | null;
}

/** A page of the ledger with what became of each job on the `train` split. */
export async function listJobs(
  db: Kysely<Tables>,
  campaignId: number,
  filter: JobFilter,
  page: JobPage,
): Promise<JobLine[]> {
  const { states, outcomes, island } = filter;
  const { after } = page;
  // SQL has no empty list.
  if (states?.length === 0 || outcomes?.length === 0) return [];
  return jobsWithFates(db)
    .select(SUMMARY_COLUMNS.map((column) => `jobs.${column}` as const))
    .select([
      'candidates.commit',
      'candidates.tree',
      'candidates.added',
      'candidates.deleted',
      'evaluations.state as evaluationState',
      'evaluations.status',
      'evaluations.kind as kindOfInvalid',
      'evaluations.objectives',
      'evaluations.scores',
      'evaluations.summary as verdictSummary',
      'evaluations.durationMs',
    ])
    .where('jobs.campaignId', '=', campaignId)
    .$if(states !== undefined, (query) => query.where('jobs.state', 'in', states ?? []))
    .$if(outcomes !== undefined, (query) => query.where('jobs.outcome', 'in', outcomes ?? []))
    .$if(island !== undefined, (query) => query.where('jobs.island', '=', island ?? 0))
    .$if(after !== undefined, (query) =>
      query.where('jobs.ordinal', page.order === 'ascending' ? '>' : '<', after ?? 0),
    )
    .orderBy('jobs.ordinal', page.order === 'ascending' ? 'asc' : 'desc')
    .limit(page.limit)
    .execute();
}

/** Everything about one job. */
export interface JobDetail {
  readonly job: JobRow;
  readonly candidate: CandidateRow | undefined;
  /** Of its tree, one a split. */
  readonly evaluations: readonly EvaluationRow[];
}

/** @throws NotFoundError when there is none. */
export async function getJob(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<JobDetail> {
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
  if (job === undefined) throw new NotFoundError(`there is no job ${ordinal} in this campaign`);
  const candidate = await db
    .selectFrom('candidates')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
  const evaluations =
    candidate === undefined
      ? []
      : await db
          .selectFrom('evaluations')
          .selectAll()
          .where('campaignId', '=', campaignId)
          .where('tree', '=', candidate.tree)
          .orderBy('split')
          .execute();
  return { job, candidate, evaluations };
}

export interface JobCount {
  readonly kind: JobRow['kind'];
  readonly state: JobState;
  readonly outcome: Outcome | null;
  readonly stage: string | null;
  readonly failureKind: string | null;
  readonly jobs: number;
}

/** How many jobs there are of each kind, state and end: every sum that a status line or a budget needs. */
export async function countJobs(db: Kysely<Tables>, campaignId: number): Promise<JobCount[]> {
  return db
    .selectFrom('jobs')
    .select(['kind', 'state', 'outcome', 'stage', 'failureKind'])
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .where('campaignId', '=', campaignId)
    .groupBy(['kind', 'state', 'outcome', 'stage', 'failureKind'])
    .orderBy('kind')
    .orderBy('state')
    .orderBy('outcome')
    .orderBy('stage')
    .orderBy('failureKind')
    .execute();
}
