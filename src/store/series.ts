import { type Kysely, sql } from 'kysely';
import { jobsWithFates } from './joined.ts';
import type { Outcome, Tables } from './tables.ts';
import { rulings } from './trials.ts';

/** What a chart of a campaign is drawn from: a settled job in five numbers. */
export interface SeriesRow {
  readonly ordinal: number;
  readonly outcome: Outcome;
  /** What it ranks by now in one objective; null when by nothing. */
  readonly score: number | null;
  /** Of its first measurement, where the evaluator gave one. */
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * A page of the settled jobs in the order of settlement, after a place in it; -1 is before the first. Places have no gaps, so that of a row
 * follows from its index.
 */
export async function listSeries(
  db: Kysely<Tables>,
  campaignId: number,
  objective: string,
  page: { readonly after: number; readonly limit: number },
): Promise<SeriesRow[]> {
  return jobsWithFates(db)
    .leftJoin(rulings(db, campaignId).as('rulings'), 'rulings.ordinal', 'jobs.ordinal')
    .select('jobs.ordinal')
    .select(sql<Outcome>`jobs.outcome`.as('outcome'))
    .select(
      sql<number | null>`case
        when jobs.outcome <> 'candidate' then null
        when rulings.ordinal is not null then (rulings.scores ->> ${objective})::double precision
        else (evaluations.scores ->> ${objective})::double precision
      end`.as('score'),
    )
    .select(bound(objective, 0).as('low'))
    .select(bound(objective, 1).as('high'))
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.settlement', '>', page.after)
    .orderBy('jobs.settlement')
    .limit(page.limit)
    .execute();
}

function bound(objective: string, end: 0 | 1) {
  return sql<number | null>`case
    when jobs.outcome = 'candidate' then (evaluations.intervals -> ${objective} ->> ${end}::integer)::double precision
  end`;
}
