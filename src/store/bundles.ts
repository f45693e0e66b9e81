import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** Bytes of one row: a value of a few hundred megabytes would have to fit into memory three times on its way. */
const PIECE_BYTES = 1024 * 1024;

/** Whether a pinned evaluator is there for others to fetch. */
export async function hasBundle(db: Kysely<Tables>, hash: string): Promise<boolean> {
  const row = await db.selectFrom('bundles').select('position').where('hash', '=', hash).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Keeps the archive of a pinned evaluator; one that is there stays. */
export async function putBundle(
  trx: Transaction<Tables>,
  hash: string,
  archive: AsyncIterable<Uint8Array>,
): Promise<void> {
  let position = 0;
  const put = async (content: Uint8Array): Promise<void> => {
    await trx
      .insertInto('bundles')
      .values({ hash, position, content })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    position += 1;
  };
  for await (const piece of piecesOf(archive)) await put(piece);
}

/** The archive of a pinned evaluator, piece by piece; empty when it is not there. */
export async function* getBundle(db: Kysely<Tables>, hash: string): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position += 1) {
    const row = await db
      .selectFrom('bundles')
      .select('content')
      .where('hash', '=', hash)
      .where('position', '=', position)
      .executeTakeFirst();
    if (row === undefined) return;
    yield row.content;
  }
}

async function* piecesOf(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of archive) {
    held.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}
