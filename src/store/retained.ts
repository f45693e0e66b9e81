import type { Kysely, Transaction } from 'kysely';
import { decodeFloat32 } from '../embedding/index.ts';
import { batches } from './batches.ts';
import { toJson } from './json.ts';
import type { Tables } from './tables.ts';

/** What an island retained when a batch was planned. */
export interface RetainedKey {
  readonly campaignId: number;
  readonly island: number;
  /** The first ordinal of the batch. */
  readonly batch: number;
}

/**
 * Keeps what each island retains as a batch is planned: later verdicts of trials rewrite placements, so these cannot tell it any more.
 * Batches that are settled lose theirs.
 */
export async function keepRetained(
  trx: Transaction<Tables>,
  { campaignId, batch }: Omit<RetainedKey, 'island'>,
  islands: readonly (readonly number[])[],
): Promise<void> {
  await trx
    .deleteFrom('retained')
    .where('campaignId', '=', campaignId)
    .where('batch', '<', (eb) =>
      eb
        .selectFrom('jobs')
        .select(({ fn }) => fn.min('jobs.batch').as('batch'))
        .where('jobs.campaignId', '=', campaignId)
        .where('jobs.settlement', 'is', null),
    )
    .execute();
  await trx
    .insertInto('retained')
    .values(islands.map((ordinals, island) => ({ campaignId, island, batch, ordinals: toJson(ordinals) })))
    .execute();
}

/** A candidate that was retained. */
export interface Retained {
  readonly ordinal: number;
  readonly title: string | null;
  /** float32 × dimensions. */
  readonly vector: Float32Array;
}

/** What was retained then, by ordinal; none where nothing was kept. Takes as long as the archive is large, not the history. */
export async function retainedAt(db: Kysely<Tables>, { campaignId, island, batch }: RetainedKey): Promise<Retained[]> {
  const kept = await db
    .selectFrom('retained')
    .select('ordinals')
    .where('campaignId', '=', campaignId)
    .where('island', '=', island)
    .where('batch', '=', batch)
    .executeTakeFirst();
  const found: Retained[] = [];
  for (const ordinals of batches((kept?.ordinals ?? []).toSorted((a, b) => a - b))) {
    const rows = await db
      .selectFrom('descriptors')
      .innerJoin('jobs', (join) =>
        join.onRef('jobs.campaignId', '=', 'descriptors.campaignId').onRef('jobs.ordinal', '=', 'descriptors.ordinal'),
      )
      .select(['descriptors.ordinal', 'jobs.title', 'descriptors.vector'])
      .where('descriptors.campaignId', '=', campaignId)
      .where('descriptors.ordinal', 'in', ordinals)
      .orderBy('descriptors.ordinal')
      .execute();
    for (const { vector, ...row } of rows) found.push({ ...row, vector: decodeFloat32(vector) });
  }
  return found;
}
