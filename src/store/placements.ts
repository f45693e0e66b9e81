import { type Kysely, sql, type Transaction } from 'kysely';
import { toJson } from './json.ts';
import type { PlacementRow, Tables, Verdict } from './tables.ts';

export interface EpochKey {
  readonly campaignId: number;
  readonly island: number;
  readonly epoch: number;
}

export interface NewPlacement {
  readonly ordinal: number;
  readonly verdict: Verdict;
  readonly cell: number;
  readonly reason: string;
  readonly coordinates: readonly number[];
  readonly evicted: readonly number[];
}

/**
 * Writes verdicts of an epoch: one after a settlement, the whole history after a refit. They travel as one JSON parameter, because a
 * history of thousands would break PostgreSQL's limit of 65,535 parameters. Their jobs are settled before, in the same transaction: the
 * place in the settlement order is taken from there, and without one the write fails. It is looked up row by row: nothing tells the
 * planner how few rows the JSON has, and for a join it reads all jobs of the campaign, 6 ms of 5,000 for one placement.
 */
export async function savePlacements(
  trx: Transaction<Tables>,
  key: EpochKey,
  placements: readonly NewPlacement[],
): Promise<void> {
  if (placements.length === 0) return;
  await sql`
    insert into placements (campaign_id, island, epoch, ordinal, verdict, cell, reason, coordinates, evicted, settlement)
    select ${key.campaignId}::integer, ${key.island}::integer, ${key.epoch}::integer,
           placed.ordinal, placed.verdict, placed.cell, placed.reason, placed.coordinates, placed.evicted,
           (select settlement from jobs where campaign_id = ${key.campaignId} and jobs.ordinal = placed.ordinal)
    from jsonb_to_recordset(${toJson(placements)}::jsonb)
      as placed (ordinal integer, verdict text, cell bigint, reason text, coordinates jsonb, evicted jsonb)
  `.execute(trx);
}

/** Writes the verdicts on candidates anew that an epoch has placed already: the front of their cell was folded again. */
export async function replacePlacements(
  trx: Transaction<Tables>,
  key: EpochKey,
  placements: readonly NewPlacement[],
): Promise<void> {
  await sql`
    update placements set verdict = placed.verdict, reason = placed.reason, evicted = placed.evicted
    from jsonb_to_recordset(${toJson(placements)}::jsonb)
      as placed (ordinal integer, verdict text, reason text, evicted jsonb)
    where campaign_id = ${key.campaignId} and island = ${key.island} and epoch = ${key.epoch}
      and placements.ordinal = placed.ordinal
  `.execute(trx);
}

/** The verdicts of an epoch, in settlement order. */
export async function listPlacements(db: Kysely<Tables>, key: EpochKey): Promise<PlacementRow[]> {
  return db
    .selectFrom('placements')
    .selectAll()
    .where('campaignId', '=', key.campaignId)
    .where('island', '=', key.island)
    .where('epoch', '=', key.epoch)
    .orderBy('settlement')
    .execute();
}

/** The verdicts on one candidate, one an epoch, in order. */
export async function placementsOf(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<PlacementRow[]> {
  return db
    .selectFrom('placements')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .orderBy('epoch')
    .execute();
}
