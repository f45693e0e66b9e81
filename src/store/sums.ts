import { type Kysely, sql } from 'kysely';
import type { JobState, Outcome, Tables } from './tables.ts';

/** Jobs of a campaign in one state; settled ones with their outcome. */
export interface JobSum {
  readonly campaign: string;
  readonly state: JobState;
  readonly outcome: Outcome | null;
  readonly jobs: number;
}

/** Jobs of all campaigns but their roots, by state and outcome. */
export async function sumJobs(db: Kysely<Tables>): Promise<JobSum[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('campaigns', 'campaigns.id', 'jobs.campaignId')
    .select(['campaigns.name as campaign', 'jobs.state', 'jobs.outcome'])
    .select((eb) => eb.fn.countAll<number>().as('jobs'))
    .where('jobs.kind', '<>', 'root')
    .groupBy(['campaigns.name', 'jobs.state', 'jobs.outcome'])
    .orderBy('campaigns.name')
    .orderBy('jobs.state')
    .orderBy('jobs.outcome')
    .execute();
}

/** Evaluations of all campaigns that wait or run. */
export async function sumOpenEvaluations(
  db: Kysely<Tables>,
): Promise<{ readonly campaign: string; readonly state: string; readonly evaluations: number }[]> {
  return db
    .selectFrom('evaluations')
    .innerJoin('campaigns', 'campaigns.id', 'evaluations.campaignId')
    .select(['campaigns.name as campaign', 'evaluations.state'])
    .select((eb) => eb.fn.countAll<number>().as('evaluations'))
    .where('evaluations.state', '<>', 'done')
    .groupBy(['campaigns.name', 'evaluations.state'])
    .orderBy('campaigns.name')
    .orderBy('evaluations.state')
    .execute();
}

/** Faults of the machine that were written down, of all campaigns. */
export async function sumFaults(db: Kysely<Tables>): Promise<{ readonly campaign: string; readonly faults: number }[]> {
  return db
    .selectFrom('events')
    .innerJoin('campaigns', 'campaigns.id', 'events.campaignId')
    .select('campaigns.name as campaign')
    .select((eb) => eb.fn.countAll<number>().as('faults'))
    .where('events.kind', '=', sql.lit('fault'))
    .groupBy('campaigns.name')
    .orderBy('campaigns.name')
    .execute();
}

/** How long pieces of work of one kind took: how many at most as long as each bound, how many in all, and their sum. */
export interface DurationSum {
  readonly campaign: string;
  readonly within: readonly number[];
  readonly count: number;
  readonly seconds: number;
}

/** What took the time. */
export type Timed = 'generation' | 'evaluation';

/** Durations of all that ended; `bounds` in seconds, rising. */
export async function sumDurations(
  db: Kysely<Tables>,
  timed: Timed,
  bounds: readonly number[],
): Promise<DurationSum[]> {
  const within = sql.join(
    bounds.map((bound) => sql`count(*) filter (where seconds <= ${bound})::integer`),
    sql`, `,
  );
  const source =
    timed === 'evaluation'
      ? sql`select campaign_id, duration_ms / 1000 as seconds from evaluations where state = 'done'`
      : sql`select campaign_id, extract(epoch from finished_at - started_at)::float8 as seconds from jobs
            where kind = 'generate' and finished_at is not null and started_at is not null`;
  const { rows } = await sql<DurationSum>`
    select campaigns.name as campaign, array[${within}] as within, count(*)::integer as count,
      coalesce(sum(seconds), 0)::float8 as seconds
    from (${source}) as ended join campaigns on campaigns.id = ended.campaign_id
    group by campaigns.name order by campaigns.name
  `.execute(db);
  return rows;
}
