import type { Kysely } from 'kysely';
import { decodeFloat32 } from '../embedding/index.ts';
import { measuredCandidates } from './joined.ts';
import type { Intervals, Numbers, Tables } from './tables.ts';

/** What the archive is a fold of. */
export interface HistoryEntry {
  readonly ordinal: number;
  readonly settlement: number;
  /** What it ranked by when it was measured first: raw numbers by name, in the direction of the campaign file. */
  readonly scores: Numbers;
  /** [low, high] by name, for some of the objectives. */
  readonly intervals: Intervals;
  readonly identity: string | null;
  /** float32 × dimensions. */
  readonly vector: Float32Array;
}

/**
 * Everything that was offered to the archive of an island (outcome `candidate`, and the root, which every island has), in
 * settlement order: replaying it gives the archive back.
 */
export async function history(db: Kysely<Tables>, campaignId: number, island: number): Promise<HistoryEntry[]> {
  const rows = await measuredCandidates(db, campaignId, 'train')
    .innerJoin('descriptors', (join) =>
      join.onRef('descriptors.campaignId', '=', 'jobs.campaignId').onRef('descriptors.ordinal', '=', 'jobs.ordinal'),
    )
    .select([
      'jobs.ordinal',
      'jobs.settlement',
      'evaluations.scores',
      'evaluations.intervals',
      'evaluations.identity',
      'descriptors.vector',
    ])
    .where((eb) => eb.or([eb('jobs.island', '=', island), eb('jobs.ordinal', '=', 0)]))
    .where('jobs.settlement', 'is not', null)
    .orderBy('jobs.settlement')
    .execute();
  return rows.flatMap(({ ordinal, settlement, scores, intervals, identity, vector }) =>
    settlement === null || scores === null
      ? []
      : [{ ordinal, settlement, scores, intervals: intervals ?? {}, identity, vector: decodeFloat32(vector) }],
  );
}
