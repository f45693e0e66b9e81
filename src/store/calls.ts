import type { Insertable, Kysely } from 'kysely';
import { storable } from './json.ts';
import type { CallTable, Tables } from './tables.ts';

export type NewCall = Insertable<CallTable>;

/** Keeps a model call that is over. */
export async function insertCall(db: Kysely<Tables>, call: NewCall): Promise<void> {
  const failure = call.failure === null || call.failure === undefined ? null : storable(call.failure);
  const model = call.model === null || call.model === undefined ? null : storable(call.model);
  await db
    .insertInto('calls')
    .values({ ...call, failure, model })
    .execute();
}

/** What calls used. `unpriced`: answered ones whose cost nobody knows, which are in no sum of money. */
export interface CallTotals {
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
  readonly unpriced: number;
}

/** What the calls of one role to one model used, and how long they took. */
export interface ModelTotals extends CallTotals {
  readonly provider: string;
  readonly model: string | null;
  /** planner, coder, lessons, embedding. */
  readonly role: string;
  readonly meanMs: number;
  readonly longestMs: number;
}

/** Sums over the calls of a campaign, or of one of its jobs. */
export async function callTotals(db: Kysely<Tables>, campaignId: number, ordinal?: number): Promise<CallTotals> {
  const row = await totalsQuery(db, campaignId)
    .$if(ordinal !== undefined, (query) => query.where('ordinal', '=', ordinal ?? 0))
    .executeTakeFirstOrThrow();
  return row;
}

/** The same by provider, model and role, the most expensive first. */
export async function callTotalsByModel(db: Kysely<Tables>, campaignId: number): Promise<ModelTotals[]> {
  return totalsQuery(db, campaignId)
    .select(['provider', 'model', 'role'])
    .select((eb) => [eb.fn.avg<number>('durationMs').as('meanMs'), eb.fn.max<number>('durationMs').as('longestMs')])
    .groupBy(['provider', 'model', 'role'])
    .orderBy('costUsd', 'desc')
    .orderBy('calls', 'desc')
    .execute();
}

function totalsQuery(db: Kysely<Tables>, campaignId: number) {
  return db
    .selectFrom('calls')
    .select((eb) => [
      eb.fn.countAll<number>().as('calls'),
      eb.fn.coalesce(eb.fn.sum<number>('inputTokens'), eb.lit(0)).as('inputTokens'),
      eb.fn.coalesce(eb.fn.sum<number>('cachedTokens'), eb.lit(0)).as('cachedTokens'),
      eb.fn.coalesce(eb.fn.sum<number>('outputTokens'), eb.lit(0)).as('outputTokens'),
      eb.fn.coalesce(eb.fn.sum<number>('costUsd'), eb.lit(0)).as('costUsd'),
      eb.fn
        .countAll<number>()
        .filterWhere((where) => where.and([where('costUsd', 'is', null), where('status', 'is not', null)]))
        .as('unpriced'),
    ])
    .where('campaignId', '=', campaignId);
}
