import type { Kysely, Transaction } from 'kysely';
import { NotFoundError } from '../errors.ts';
import { storable } from './json.ts';
import type { ArtifactRow, Tables } from './tables.ts';

export interface NewArtifact {
  readonly name: string;
  readonly mediaType: string;
  readonly content: Uint8Array;
}

/** Stores what an evaluation left in its artifacts folder. A name that its tree has already is replaced. */
export async function insertArtifacts(
  trx: Transaction<Tables>,
  owner: { readonly campaignId: number; readonly ordinal: number; readonly tree: string },
  artifacts: readonly NewArtifact[],
): Promise<void> {
  for (const { name, mediaType, content } of artifacts) {
    await trx
      .insertInto('artifacts')
      .values({ ...owner, name: storable(name), mediaType, content, size: content.byteLength })
      .onConflict((conflict) =>
        conflict
          .columns(['campaignId', 'tree', 'ordinal', 'name'])
          .doUpdateSet({ mediaType, content, size: content.byteLength }),
      )
      .execute();
  }
}

export type ArtifactLine = Omit<ArtifactRow, 'content'>;

/** The artifacts of a tree without their bytes, by name: candidates with equal trees have the same. */
export async function listArtifacts(db: Kysely<Tables>, campaignId: number, tree: string): Promise<ArtifactLine[]> {
  return db
    .selectFrom('artifacts')
    .select(['id', 'campaignId', 'ordinal', 'tree', 'name', 'mediaType', 'size', 'createdAt'])
    .where('campaignId', '=', campaignId)
    .where('tree', '=', tree)
    .orderBy('name')
    .execute();
}

/** @throws NotFoundError when there is none. */
export async function getArtifact(db: Kysely<Tables>, id: number): Promise<ArtifactRow> {
  const row = await db.selectFrom('artifacts').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new NotFoundError(`there is no artifact with the id ${id}`);
  return row;
}

/** What a job that was cut off had changed by then, as a patch. It is nobody's tree, so it is found by its job alone. */
export const INTERRUPTED_PATCH = 'interrupted.patch';

/** Keeps such a patch; an earlier one of the job makes room for it. */
export async function keepInterrupted(
  trx: Transaction<Tables>,
  owner: { readonly campaignId: number; readonly ordinal: number; readonly tree: string },
  patch: string,
): Promise<void> {
  const { campaignId, ordinal } = owner;
  await trx
    .deleteFrom('artifacts')
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('name', '=', INTERRUPTED_PATCH)
    .execute();
  const artifact = { name: INTERRUPTED_PATCH, mediaType: 'text/plain', content: Buffer.from(patch) };
  await insertArtifacts(trx, owner, [artifact]);
}

/** What was kept of a job's attempts that were cut off. */
export async function listInterrupted(
  db: Kysely<Tables>,
  campaignId: number,
  ordinal: number,
): Promise<ArtifactLine[]> {
  return db
    .selectFrom('artifacts')
    .select(['id', 'campaignId', 'ordinal', 'tree', 'name', 'mediaType', 'size', 'createdAt'])
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('name', '=', INTERRUPTED_PATCH)
    .execute();
}
