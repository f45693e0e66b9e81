import { type Kysely, type RawBuilder, sql } from 'kysely';
import { CANCELLED } from './cancel.ts';
import { jobsWithFates } from './joined.ts';
import type { Numbers, Tables } from './tables.ts';

/** A candidate with what was said and measured of it on the `train` split. */
export interface Relation {
  readonly ordinal: number;
  readonly commit: string;
  readonly tree: string;
  readonly title: string | null;
  /** Null when it has no valid evaluation. */
  readonly objectives: Numbers | null;
  readonly summary: string | null;
  readonly evidence: string | null;
}

/** A candidate and all its ancestors down to the root, oldest first: the last entry is the candidate itself. */
export async function ancestry(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<Relation[]> {
  const { rows } = await sql<Relation>`
    with recursive chain (ordinal, depth) as (
      select ${ordinal}::integer, 0
      union all
      select jobs.base_ordinal, chain.depth + 1
      from chain join jobs on jobs.campaign_id = ${campaignId} and jobs.ordinal = chain.ordinal
      where jobs.base_ordinal is not null
    )
    select jobs.ordinal, candidates.commit, candidates.tree, jobs.title,
           evaluations.objectives, evaluations.summary, evaluations.evidence
    from chain
    join jobs on jobs.campaign_id = ${campaignId} and jobs.ordinal = chain.ordinal
    join candidates on candidates.campaign_id = ${campaignId} and candidates.ordinal = chain.ordinal
    left join evaluations on evaluations.campaign_id = ${campaignId} and evaluations.tree = candidates.tree
      and evaluations.split = 'train' and evaluations.status = 'valid'
    order by chain.depth desc
  `.execute(db);
  return rows;
}

export interface Mishap {
  readonly ordinal: number;
  readonly title: string | null;
  readonly reason: string | null;
  /** What the evaluator gave as evidence, and the end of what the failing step printed; null where it refused nothing. */
  readonly evidence: string | null;
  readonly stdout: string | null;
  readonly stderr: string | null;
}

/** Longest text of a mishap that is read; of a longer one the beginning and the end. */
const MISHAP_LENGTH = 4096;

/**
 * The latest children of `base` that were refused or failed, of jobs before `before`, the latest first. Without those that
 * failed by a fault of ours: there is nothing to avoid.
 */
export async function mishapsOf(
  db: Kysely<Tables>,
  campaignId: number,
  base: number,
  before: number,
  limit: number,
): Promise<Mishap[]> {
  return jobsWithFates(db)
    .leftJoin('stages', (join) =>
      join
        .onRef('stages.campaignId', '=', 'evaluations.campaignId')
        .onRef('stages.tree', '=', 'evaluations.tree')
        .onRef('stages.split', '=', 'evaluations.split')
        .onRef('stages.attempt', '=', 'evaluations.attempt')
        .on('stages.status', '=', 'failed'),
    )
    .select(['jobs.ordinal', 'jobs.title', 'jobs.reason', ends('evaluations.evidence').as('evidence')])
    .select([ends('stages.stdout_tail').as('stdout'), ends('stages.stderr_tail').as('stderr')])
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.baseOrdinal', '=', base)
    .where('jobs.ordinal', '<', before)
    .where('jobs.outcome', 'in', ['invalid', 'failed'])
    .where(sql<boolean>`coalesce(jobs.stage, '') not in ('internal', ${CANCELLED})`)
    .orderBy('jobs.ordinal', 'desc')
    .limit(limit)
    .execute();
}

function ends(column: string): RawBuilder<string | null> {
  const [text, half] = [sql.ref(column), sql.lit(MISHAP_LENGTH / 2)];
  return sql`case when length(${text}) <= ${sql.lit(MISHAP_LENGTH)} then ${text}
    else left(${text}, ${half}) || ' … ' || right(${text}, ${half}) end`;
}

/** Whether a job before `before` already made this tree. */
export async function treeSeen(db: Kysely<Tables>, campaignId: number, tree: string, before: number): Promise<boolean> {
  const row = await db
    .selectFrom('candidates')
    .select('ordinal')
    .where('campaignId', '=', campaignId)
    .where('tree', '=', tree)
    .where('ordinal', '<', before)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
