import type { Kysely, Transaction } from 'kysely';
import type { Tables } from './tables.ts';

/** A job that waits to be tried again, with what it was planned with. */
export interface WaitingRetry {
  readonly id: number;
  readonly ofOrdinal: number;
  readonly island: number;
  readonly baseOrdinal: number | null;
  readonly inspirations: readonly number[];
  readonly coder: string | null;
}

/** Lets a job be tried again; false when it waits for that already. */
export async function askRetry(trx: Transaction<Tables>, campaignId: number, ofOrdinal: number): Promise<boolean> {
  const made = await trx
    .insertInto('retries')
    .values({ campaignId, ofOrdinal })
    .onConflict((conflict) => conflict.columns(['campaignId', 'ofOrdinal']).where('ordinal', 'is', null).doNothing())
    .returning('id')
    .execute();
  return made.length === 1;
}

/** Those that are no jobs yet, in the order in which they were asked for. */
export async function waitingRetries(db: Kysely<Tables>, campaignId: number, limit: number): Promise<WaitingRetry[]> {
  return db
    .selectFrom('retries')
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.campaignId', '=', 'retries.campaignId').onRef('jobs.ordinal', '=', 'retries.ofOrdinal'),
    )
    .select(['retries.id', 'ofOrdinal', 'island', 'baseOrdinal', 'inspirations', 'coder'])
    .where('retries.campaignId', '=', campaignId)
    .where('retries.ordinal', 'is', null)
    .orderBy('retries.id')
    .limit(limit)
    .execute();
}

/** Says which job tries it again. */
export async function noteRetried(trx: Transaction<Tables>, id: number, ordinal: number): Promise<void> {
  await trx.updateTable('retries').set({ ordinal }).where('id', '=', id).execute();
}

/** What a job is another try of, and the jobs that tried it again; `waits` when it is to be tried once more. */
export interface Tries {
  readonly of: number | null;
  readonly again: readonly number[];
  readonly waits: boolean;
}

export async function triesOf(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<Tries> {
  const rows = await db
    .selectFrom('retries')
    .select(['ofOrdinal', 'ordinal'])
    .where('campaignId', '=', campaignId)
    .where((eb) => eb.or([eb('ordinal', '=', ordinal), eb('ofOrdinal', '=', ordinal)]))
    .orderBy('id')
    .execute();
  const again = rows.filter(({ ofOrdinal }) => ofOrdinal === ordinal);
  return {
    of: rows.find((row) => row.ordinal === ordinal)?.ofOrdinal ?? null,
    again: again.flatMap((row) => row.ordinal ?? []),
    waits: again.some((row) => row.ordinal === null),
  };
}
