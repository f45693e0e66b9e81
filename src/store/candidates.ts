import { type Kysely, sql } from 'kysely';
import { UsageError } from '../errors.ts';
import { measuredCandidates } from './joined.ts';
import type { CandidateRow, Numbers, Split, Tables } from './tables.ts';

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
  readonly objectives: Numbers;
}

/**
 * The valid, settled candidates of a split, the best of one objective first; of equal ones the earliest, so that the root wins a
 * draw. Only outcome `candidate` counts: a failure or a duplicate can never rank.
 */
export async function bestCandidates(
  db: Kysely<Tables>,
  campaignId: number,
  objective: { readonly name: string; readonly direction: 'maximize' | 'minimize' },
  limit: number,
  split: Split = 'train',
): Promise<RankedCandidate[]> {
  const value = sql<number>`(evaluations.objectives ->> ${objective.name})::double precision`;
  const rows = await measuredCandidates(db, campaignId, split)
    .select([
      'jobs.ordinal',
      'jobs.island',
      'candidates.commit',
      'candidates.tree',
      'jobs.title',
      'evaluations.objectives',
    ])
    .where('evaluations.status', '=', 'valid')
    .orderBy(value, objective.direction === 'maximize' ? 'desc' : 'asc')
    .orderBy('jobs.ordinal')
    .limit(limit)
    .execute();
  return rows.flatMap((row) => (row.objectives === null ? [] : [{ ...row, objectives: row.objectives }]));
}
