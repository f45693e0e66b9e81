import { type Kysely, sql, type Transaction } from 'kysely';
import { insertCall, type NewCall } from './calls.ts';
import type { SpendingRow, Tables } from './tables.ts';

/** What a call may cost at most, and whose it is. */
export interface NewReservation {
  readonly campaignId: number;
  /** Who makes the call: what it reserved is booked when it dies. */
  readonly worker: string;
  readonly ordinal: number | null;
  readonly role: string;
  readonly provider: string;
  readonly costUsd: number;
  readonly tokens: number;
}

/** Null is no limit. */
export interface SpendingLimits {
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/** Begins the account of a campaign with what the ledger of its calls has. Refusals of earlier times are forgotten. */
export async function openSpending(db: Kysely<Tables>, campaignId: number): Promise<void> {
  await sql`
    insert into spending (campaign_id, cost_usd, tokens)
    select ${campaignId}::integer, coalesce(sum(cost_usd), 0), coalesce(sum(input_tokens + output_tokens), 0)
    from calls where campaign_id = ${campaignId}
    on conflict (campaign_id) do update set refused = false`.execute(db);
}

/**
 * Sets money and tokens aside for a call, of all processes that work on the campaign: together they cannot overrun the limits. One statement;
 * the row of the campaign is what they wait for. Returns the id of the reservation, or null when it would not fit.
 */
export async function reserveSpending(
  db: Kysely<Tables>,
  call: NewReservation,
  { costUsd, tokens }: SpendingLimits,
): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    with held as (
      update spending set
        reserved_usd = reserved_usd + ${call.costUsd}::double precision,
        reserved_tokens = reserved_tokens + ${call.tokens}::double precision
      where campaign_id = ${call.campaignId}
        and (${costUsd}::double precision is null or cost_usd + reserved_usd + ${call.costUsd} <= ${costUsd})
        and (${tokens}::double precision is null or tokens + reserved_tokens + ${call.tokens} <= ${tokens})
      returning campaign_id
    )
    insert into reservations (campaign_id, worker, ordinal, role, provider, cost_usd, tokens)
    select campaign_id, ${call.worker}, ${call.ordinal}::integer, ${call.role}, ${call.provider},
      ${call.costUsd}::double precision, ${call.tokens}::double precision
    from held returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/** Notes that a call did not fit: the campaign is at its end. */
export async function noteRefusal(db: Kysely<Tables>, campaignId: number): Promise<void> {
  await db.updateTable('spending').set({ refused: true }).where('campaignId', '=', campaignId).execute();
}

/** What a campaign spent and has set aside. Undefined before it was opened. */
export async function readSpending(db: Kysely<Tables>, campaignId: number): Promise<SpendingRow | undefined> {
  return db.selectFrom('spending').selectAll().where('campaignId', '=', campaignId).executeTakeFirst();
}

/** Gives back what was set aside for a call that was not made. */
export async function releaseSpending(db: Kysely<Tables>, reservation: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await take(trx, reservation);
  });
}

/** Keeps a call that is over, and puts what it used in the place of what was set aside for it. */
export async function bookCall(db: Kysely<Tables>, call: NewCall, reservation: number | null): Promise<void> {
  if (reservation === null) return insertCall(db, call);
  await db.transaction().execute(async (trx) => {
    if (await take(trx, reservation)) {
      await add(trx, call.campaignId, call.costUsd ?? 0, (call.inputTokens ?? 0) + (call.outputTokens ?? 0));
      await insertCall(trx, call);
    } else {
      // The process was taken for dead meanwhile, and the call is in the ledger already with what it might have cost.
      await insertCall(trx, {
        ...call,
        costUsd: 0,
        failure: call.failure ?? 'booked already by what was reserved for it',
      });
    }
  });
}

const CUT_OFF = 'cut off by the end of its process; booked with what it may have cost';

/** Books what workers that are gone had set aside as if it had been spent: their calls may have been billed. Returns how many there were. */
export async function bookAbandoned(trx: Transaction<Tables>, campaignId: number): Promise<number> {
  const rows = await trx
    .deleteFrom('reservations')
    .where('campaignId', '=', campaignId)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('workers')
            .select('workers.id')
            .whereRef('workers.id', '=', 'reservations.worker')
            .where('workers.state', '<>', 'gone'),
        ),
      ),
    )
    .returningAll()
    .execute();
  for (const { ordinal, role, provider, costUsd, tokens, madeAt } of rows) {
    await unreserve(trx, campaignId, costUsd, tokens);
    await add(trx, campaignId, costUsd, tokens);
    await insertCall(trx, {
      ...{
        campaignId,
        ordinal,
        role,
        provider,
        costUsd,
        coder: null,
        wire: 'unknown',
        model: null,
        attempts: 1,
        status: null,
      },
      ...{ inputTokens: tokens, cachedTokens: 0, outputTokens: 0, durationMs: 0, failure: CUT_OFF },
      ...{ requestBytes: 0, responseBytes: 0, recording: null, startedAt: madeAt },
    });
  }
  return rows.length;
}

/** False when it is booked already. */
async function take(trx: Transaction<Tables>, reservation: number): Promise<boolean> {
  const row = await trx.deleteFrom('reservations').where('id', '=', reservation).returningAll().executeTakeFirst();
  if (row === undefined) return false;
  await unreserve(trx, row.campaignId, row.costUsd, row.tokens);
  return true;
}

async function unreserve(trx: Transaction<Tables>, campaignId: number, costUsd: number, tokens: number): Promise<void> {
  await trx
    .updateTable('spending')
    .set((eb) => ({ reservedUsd: eb('reservedUsd', '-', costUsd), reservedTokens: eb('reservedTokens', '-', tokens) }))
    .where('campaignId', '=', campaignId)
    .execute();
}

async function add(trx: Transaction<Tables>, campaignId: number, costUsd: number, tokens: number): Promise<void> {
  await trx
    .updateTable('spending')
    .set((eb) => ({ costUsd: eb('costUsd', '+', costUsd), tokens: eb('tokens', '+', tokens) }))
    .where('campaignId', '=', campaignId)
    .execute();
}
