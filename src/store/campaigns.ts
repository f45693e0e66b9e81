import type { Kysely } from 'kysely';
import { ConflictError, NotFoundError } from '../errors.ts';
import { toJson } from './json.ts';
import type { CampaignRow, CampaignState, Tables } from './tables.ts';

export interface CampaignInput {
  readonly name: string;
  readonly frozen: unknown;
  readonly live: unknown;
  readonly directory: string;
  readonly rootCommit: string;
  readonly rootTree: string;
  readonly bundleHash: string;
}

/**
 * Registers a campaign, in state `running`.
 * @throws ConflictError when the name is taken.
 */
export async function createCampaign(db: Kysely<Tables>, input: CampaignInput): Promise<CampaignRow> {
  const row = await db
    .insertInto('campaigns')
    .values({ ...input, frozen: toJson(input.frozen), live: toJson(input.live) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) throw new ConflictError(`there is already a campaign named ${input.name}`);
  return row;
}

/** @throws NotFoundError when there is none. */
export async function getCampaign(db: Kysely<Tables>, id: number): Promise<CampaignRow> {
  const row = await db.selectFrom('campaigns').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) throw new NotFoundError(`there is no campaign with the id ${id}`);
  return row;
}

export async function findCampaign(db: Kysely<Tables>, name: string): Promise<CampaignRow | undefined> {
  return db.selectFrom('campaigns').selectAll().where('name', '=', name).executeTakeFirst();
}

/** All campaigns, in the order in which they were created. */
export async function listCampaigns(db: Kysely<Tables>): Promise<CampaignRow[]> {
  return db.selectFrom('campaigns').selectAll().orderBy('id').execute();
}

/** Puts a changed live part in force. */
export async function updateLive(db: Kysely<Tables>, id: number, live: unknown): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ live: toJson(live), updatedAt: new Date() })
    .where('id', '=', id)
    .execute();
}

/** Moves a campaign to a state; `cause` says why, `null` when there is nothing to explain. */
export async function setCampaignState(
  db: Kysely<Tables>,
  id: number,
  state: CampaignState,
  cause: string | null,
): Promise<void> {
  await db.updateTable('campaigns').set({ state, cause, updatedAt: new Date() }).where('id', '=', id).execute();
}

/** Adds to the time that the wall budget has used, and returns the sum in milliseconds. */
export async function addWallMs(db: Kysely<Tables>, id: number, ms: number): Promise<number> {
  const row = await db
    .updateTable('campaigns')
    .set((eb) => ({ wallMsUsed: eb('wallMsUsed', '+', ms) }))
    .where('id', '=', id)
    .returning('wallMsUsed')
    .executeTakeFirst();
  if (row === undefined) throw new NotFoundError(`there is no campaign with the id ${id}`);
  return row.wallMsUsed;
}

/** Records an isolation level that was really had; the campaign keeps the lowest. */
export async function noteIsolation(db: Kysely<Tables>, id: number, level: number): Promise<void> {
  await db
    .updateTable('campaigns')
    .set({ isolation: level })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('isolation', 'is', null), eb('isolation', '>', level)]))
    .execute();
}

/** Whether anything but the root was ever planned or sown: from then on the campaign's frozen part is binding. */
export async function hasJobs(db: Kysely<Tables>, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('ordinal')
    .where('campaignId', '=', id)
    .where('kind', '<>', 'root')
    .unionAll(db.selectFrom('seeds').select('id as ordinal').where('campaignId', '=', id))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Forgets a campaign with everything that belongs to it; commits in its hub stay. */
export async function deleteCampaign(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom('campaigns').where('id', '=', id).execute();
}
