import type { Kysely, Transaction } from 'kysely';
import type { ProjectionRow, Tables } from './tables.ts';

export interface NewProjection {
  readonly campaignId: number;
  readonly island: number;
  readonly epoch: number;
  /** How many settled jobs it was fitted after. */
  readonly settlement: number;
  /** The encoded projection. */
  readonly payload: Uint8Array;
}

/** Starts an epoch. Its placements are written after it, in the same transaction. */
export async function saveProjection(trx: Transaction<Tables>, projection: NewProjection): Promise<void> {
  await trx.insertInto('projections').values(projection).execute();
}

/** The projection of the current epoch; undefined while the island warms up. */
export async function latestProjection(
  db: Kysely<Tables>,
  campaignId: number,
  island: number,
): Promise<ProjectionRow | undefined> {
  return db
    .selectFrom('projections')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('island', '=', island)
    .orderBy('epoch', 'desc')
    .executeTakeFirst();
}

/** All epochs of an island, in order: what an audit replays. */
export async function listProjections(
  db: Kysely<Tables>,
  campaignId: number,
  island: number,
): Promise<ProjectionRow[]> {
  return db
    .selectFrom('projections')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('island', '=', island)
    .orderBy('epoch')
    .execute();
}
