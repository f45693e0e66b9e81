import { type Kysely, sql } from 'kysely';
import { UsageError } from '../errors.ts';
import { measuredCandidates } from './joined.ts';
import type { CandidateRow, Numbers, Split, Tables } from './tables.ts';
import { rulings } from './trials.ts';

export async function findCandidate(
  db: Kysely<Tables>,
  campaignId: number,
  ordinal: number,
): Promise<CandidateRow | undefined> {
  return db
    .selectFrom('candidates')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .executeTakeFirst();
}

/** The candidates of several jobs, by ordinal; a job without one is not in the map. */
export async function candidatesOf(
  db: Kysely<Tables>,
  campaignId: number,
  ordinals: readonly number[],
): Promise<Map<number, CandidateRow>> {
  if (ordinals.length === 0) return new Map();
  const rows = await db
    .selectFrom('candidates')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', 'in', ordinals)
    .execute();
  return new Map(rows.map((row) => [row.ordinal, row]));
}

/**
 * Candidates of all campaigns whose commit id begins with `prefix`, oldest first, at most 20.
 * @throws UsageError when the prefix is not 4 to 64 hexadecimal digits.
 */
export async function candidatesByCommit(db: Kysely<Tables>, prefix: string): Promise<CandidateRow[]> {
  if (!/^[0-9a-f]{4,64}$/.test(prefix)) {
    throw new UsageError(`${prefix} is not a commit id: 4 to 64 hexadecimal digits were expected`);
  }
  return db
    .selectFrom('candidates')
    .selectAll()
    .where('commit', 'like', `${prefix}%`)
    .orderBy('campaignId')
    .orderBy('ordinal')
    .limit(20)
    .execute();
}

export interface RankedCandidate {
  readonly ordinal: number;
  readonly island: number;
  readonly commit: string;
  readonly tree: string;
  readonly title: string | null;
  /** As first measured. */
  readonly objectives: Numbers;
  /** What the candidate ranks by: those of its first measurement, or what trials made of them. */
  readonly scores: Numbers;
}

/**
 * The valid, settled candidates of a split, the best score of one objective first; of equal ones the earliest, so that the root wins
 * a draw. Only outcome `candidate` counts: a failure or a duplicate can never rank, nor what failed when it was measured again.
 */
export async function bestCandidates(
  db: Kysely<Tables>,
  campaignId: number,
  objective: { readonly name: string; readonly direction: 'maximize' | 'minimize' },
  limit: number,
  split: Split = 'train',
): Promise<RankedCandidate[]> {
  const score = sql<number>`(${scoresOn(split)} ->> ${objective.name})::double precision`;
  const rows = await ranked(db, campaignId, split)
    .where('evaluations.status', '=', 'valid')
    .where((eb) => eb.or([eb('rulings.ordinal', 'is', null), eb('rulings.scores', 'is not', null)]))
    .orderBy(score, objective.direction === 'maximize' ? 'desc' : 'asc')
    .orderBy('jobs.settlement')
    .limit(limit)
    .execute();
  return rows.flatMap(complete);
}

/** All that was offered to the archive, on all islands, in settlement order; also what was withdrawn from it later. */
export async function settledCandidates(db: Kysely<Tables>, campaignId: number): Promise<RankedCandidate[]> {
  return (await ranked(db, campaignId, 'train').orderBy('jobs.settlement').execute()).flatMap(complete);
}

/** What a settled candidate ranks by; null when it is none, or failed when it was measured again. */
export async function scoresOf(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<Numbers | null> {
  const row = await ranked(db, campaignId, 'train')
    .where('jobs.ordinal', '=', ordinal)
    .where((eb) => eb.or([eb('rulings.ordinal', 'is', null), eb('rulings.scores', 'is not', null)]))
    .executeTakeFirst();
  return row?.scores ?? null;
}

function ranked(db: Kysely<Tables>, campaignId: number, split: Split) {
  return measuredCandidates(db, campaignId, split)
    .leftJoin(rulings(db, campaignId).as('rulings'), 'rulings.ordinal', 'jobs.ordinal')
    .select(['jobs.ordinal', 'jobs.island', 'candidates.commit', 'candidates.tree', 'jobs.title'])
    .select(['evaluations.objectives', scoresOn(split).as('scores')]);
}

/** Trials measure on `train` alone. */
function scoresOn(split: Split) {
  return split === 'train'
    ? sql<Numbers | null>`coalesce(rulings.scores, evaluations.scores)`
    : sql<Numbers | null>`evaluations.scores`;
}

type Incomplete = Omit<RankedCandidate, 'objectives' | 'scores'> & Record<'objectives' | 'scores', Numbers | null>;

function complete({ objectives, scores, ...row }: Incomplete): RankedCandidate[] {
  return objectives === null || scores === null ? [] : [{ ...row, objectives, scores }];
}
