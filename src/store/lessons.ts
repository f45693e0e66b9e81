import type { Kysely, Transaction } from 'kysely';
import { jobsWithFates } from './joined.ts';
import { storable } from './json.ts';
import type { LessonRow, Numbers, Outcome, Tables } from './tables.ts';

/** The lessons that there were when so many jobs were settled; undefined before the first. */
export async function lessonsAt(
  db: Kysely<Tables>,
  campaignId: number,
  settled = Number.MAX_SAFE_INTEGER,
): Promise<LessonRow | undefined> {
  return db
    .selectFrom('lessons')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('settled', '<=', Math.min(settled, 2 ** 31 - 1))
    .orderBy('settled', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Keeps lessons; those of the same moment stay as they are. */
export async function insertLessons(
  trx: Transaction<Tables>,
  { campaignId, settled, text }: { readonly campaignId: number; readonly settled: number; readonly text: string },
): Promise<void> {
  await trx
    .insertInto('lessons')
    .values({ campaignId, settled, text: storable(text) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What a settled job came to, as one learns from it. */
export interface Experience {
  readonly ordinal: number;
  readonly baseOrdinal: number | null;
  readonly title: string | null;
  readonly summary: string | null;
  readonly outcome: Outcome | null;
  readonly stage: string | null;
  readonly failureKind: string | null;
  readonly reason: string | null;
  readonly scores: Numbers | null;
  readonly baseScores: Numbers | null;
}

/** The latest settled jobs that a budget is charged for, the latest first, with the scores of what they began with. */
export async function latestExperiences(db: Kysely<Tables>, campaignId: number, limit: number): Promise<Experience[]> {
  return jobsWithFates(db)
    .leftJoin('candidates as base', (join) =>
      join.onRef('base.campaignId', '=', 'jobs.campaignId').onRef('base.ordinal', '=', 'jobs.baseOrdinal'),
    )
    .leftJoin('evaluations as baseEvaluation', (join) =>
      join
        .onRef('baseEvaluation.campaignId', '=', 'base.campaignId')
        .onRef('baseEvaluation.tree', '=', 'base.tree')
        .on('baseEvaluation.split', '=', 'train'),
    )
    .select(['jobs.ordinal', 'jobs.baseOrdinal', 'jobs.title', 'jobs.summary', 'jobs.outcome', 'jobs.stage'])
    .select(['jobs.failureKind', 'jobs.reason', 'evaluations.scores', 'baseEvaluation.scores as baseScores'])
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.kind', 'in', ['generate', 'seed'])
    .where('jobs.settlement', 'is not', null)
    .orderBy('jobs.settlement', 'desc')
    .limit(limit)
    .execute();
}
