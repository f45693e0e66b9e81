import type { Kysely } from 'kysely';
import { bytesOf, float32Of, float64Of } from './numbers.ts';
import type { Tables } from './tables.ts';

/** Rows of one statement: 3 parameters each, and PostgreSQL counts them in 16 bits. */
const BATCH = 2_000;

/** Vectors of files by blob id, float32 × the provider's dimensions; an unknown blob is not in the map. */
export async function getFileVectors(
  db: Kysely<Tables>,
  provider: string,
  blobs: readonly string[],
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (let start = 0; start < blobs.length; start += BATCH) {
    const rows = await db
      .selectFrom('fileVectors')
      .select(['blob', 'vector'])
      .where('provider', '=', provider)
      .where('blob', 'in', blobs.slice(start, start + BATCH))
      .execute();
    for (const row of rows) found.set(row.blob, float32Of(row.vector));
  }
  return found;
}

/** Adds vectors of files; one that is there stays as it is, so that a descriptor never changes under an archive. */
export async function putFileVectors(
  db: Kysely<Tables>,
  provider: string,
  vectors: ReadonlyMap<string, Float32Array>,
): Promise<void> {
  const rows = [...vectors].map(([blob, vector]) => ({ provider, blob, vector: bytesOf(vector) }));
  for (let start = 0; start < rows.length; start += BATCH) {
    await db
      .insertInto('fileVectors')
      .values(rows.slice(start, start + BATCH))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
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
  return row === undefined ? undefined : { sum: float64Of(row.sum), count: row.count, depth: row.depth };
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
      sum: bytesOf(vector.sum),
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
    .values({ campaignId, ordinal, vector: bytesOf(vector) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
