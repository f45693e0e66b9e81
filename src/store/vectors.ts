import type { Kysely } from 'kysely';
import { decodeFloat32, decodeFloat64, encodeFloat32, encodeFloat64, type VectorCache } from '../embedding/index.ts';
import { batches } from './batches.ts';
import type { Tables } from './tables.ts';

/** The embedding cache over the database; `key` is the embedding folder's `cacheKey`, vectors are float32 × dimensions. */
export function vectorCache(db: Kysely<Tables>): VectorCache {
  return {
    async get(keys) {
      const found = new Map<string, Float32Array>();
      for (const batch of batches(keys)) {
        const rows = await db.selectFrom('fileVectors').select(['key', 'vector']).where('key', 'in', batch).execute();
        for (const row of rows) found.set(row.key, decodeFloat32(row.vector));
      }
      return found;
    },
    async put(entries) {
      const rows = [...entries].map(([key, vector]) => ({ key, vector: encodeFloat32(vector) }));
      for (const batch of batches(rows)) {
        await db
          .insertInto('fileVectors')
          .values(batch)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    },
  };
}

export interface RepositoryVectorKey {
  readonly campaignId: number;
  readonly provider: string;
  readonly tree: string;
}

export interface StoredRepositoryVector {
  /** float64 × dimensions. */
  readonly sum: Float64Array;
  readonly count: number;
  readonly depth: number;
}

export async function getRepositoryVector(
  db: Kysely<Tables>,
  key: RepositoryVectorKey,
): Promise<StoredRepositoryVector | undefined> {
  const row = await db
    .selectFrom('repositoryVectors')
    .select(['sum', 'count', 'depth'])
    .where('campaignId', '=', key.campaignId)
    .where('provider', '=', key.provider)
    .where('tree', '=', key.tree)
    .executeTakeFirst();
  return row === undefined ? undefined : { sum: decodeFloat64(row.sum), count: row.count, depth: row.depth };
}

/** Adds the vector of a tree; one that is there stays. */
export async function putRepositoryVector(
  db: Kysely<Tables>,
  key: RepositoryVectorKey,
  vector: StoredRepositoryVector,
): Promise<void> {
  await db
    .insertInto('repositoryVectors')
    .values({
      campaignId: key.campaignId,
      provider: key.provider,
      tree: key.tree,
      sum: encodeFloat64(vector.sum),
      count: vector.count,
      depth: vector.depth,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Stores what the archive projects for a candidate, float32 × dimensions; one that is there stays. */
export async function putDescriptor(
  db: Kysely<Tables>,
  campaignId: number,
  ordinal: number,
  vector: Float32Array,
): Promise<void> {
  await db
    .insertInto('descriptors')
    .values({ campaignId, ordinal, vector: encodeFloat32(vector) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
