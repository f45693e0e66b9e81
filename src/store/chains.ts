import { type Kysely, sql } from 'kysely';
import type { Intervals, Numbers, Tables } from './tables.ts';

/** Paths of one step that are read; a step that changed more is told by its number of files. */
export const CHAIN_PATHS = 256;

/** A candidate of a line of descent, with what was measured of it on the `train` split. */
export interface Ancestor {
  readonly ordinal: number;
  readonly commit: string;
  readonly tree: string;
  readonly title: string | null;
  /** Null when it has no valid evaluation. */
  readonly objectives: Numbers | null;
  /** Of the difference to its base. */
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  /** The first of them. */
  readonly changedPaths: readonly string[];
  /** These and what follows only of the root and of the candidates that were asked for; else null. */
  readonly intervals: Intervals | null;
  readonly metrics: Numbers | null;
  readonly summary: string | null;
  readonly evidence: string | null;
}

/**
 * The lines of descent of several candidates, each from the root to the candidate itself; empty for one that is not there. One
 * query, in which an ancestor that several have in common is read once and the long texts only of those that are asked for.
 */
export async function chainsOf(
  db: Kysely<Tables>,
  campaignId: number,
  ordinals: readonly number[],
): Promise<readonly (readonly Ancestor[])[]> {
  const asked = sql.join([...new Set(ordinals)].map((ordinal) => sql`${ordinal}::integer`));
  const whole = sql`chain.ordinal in (0, ${asked})`;
  const { rows } = await sql<Ancestor & { readonly baseOrdinal: number | null }>`
    with recursive chain (ordinal) as (
      select unnest(array[${asked}])
      union
      select jobs.base_ordinal
      from chain join jobs on jobs.campaign_id = ${campaignId} and jobs.ordinal = chain.ordinal
      where jobs.base_ordinal is not null
    )
    select jobs.ordinal, jobs.base_ordinal, jobs.title, candidates.commit, candidates.tree,
           candidates.files, candidates.added, candidates.deleted,
           jsonb_path_query_array(candidates.changed_paths, ${sql.lit(`$[0 to ${CHAIN_PATHS - 1}]`)}) as changed_paths,
           evaluations.objectives,
           case when ${whole} then evaluations.intervals end as intervals,
           case when ${whole} then evaluations.metrics end as metrics,
           case when ${whole} then evaluations.summary end as summary,
           case when ${whole} then evaluations.evidence end as evidence
    from chain
    join jobs on jobs.campaign_id = ${campaignId} and jobs.ordinal = chain.ordinal
    join candidates on candidates.campaign_id = ${campaignId} and candidates.ordinal = chain.ordinal
    left join evaluations on evaluations.campaign_id = ${campaignId} and evaluations.tree = candidates.tree
      and evaluations.split = 'train' and evaluations.status = 'valid'
  `.execute(db);
  const known = new Map(rows.map(({ baseOrdinal, ...ancestor }) => [ancestor.ordinal, { baseOrdinal, ancestor }]));
  return ordinals.map((ordinal) => {
    const line: Ancestor[] = [];
    for (let at = known.get(ordinal); at !== undefined; at = known.get(at.baseOrdinal ?? -1)) line.push(at.ancestor);
    return line.reverse();
  });
}
