import type { Reservation } from './budget.ts';
import type { CallRecord } from './call.ts';
import { estimate } from './estimate.ts';
import { costOf, priceOf } from './prices.ts';
import type { Provider } from './provider.ts';
import type { Ticket } from './ticket.ts';
import type { CallShape, Wire } from './wire/wire.ts';

/** What a call is about, for its record. */
export interface Billed {
  readonly ticket: Ticket;
  readonly provider: Provider;
  readonly wire: Wire;
  readonly shape: CallShape;
  readonly request: Uint8Array;
}

/** How a call ended, for its record. */
export type Ending = Pick<CallRecord, 'attempts' | 'status' | 'usage' | 'failure' | 'response'>;

/** Books one call: a reservation in every budget of its holder until `close` puts what it really was in the place. */
export interface Account {
  /** Once. */
  close(ending: Ending): Promise<void>;
}

/** Opens the account of a call, or says which limit leaves no room for it. */
export async function openAccount(
  billed: Billed,
  onCall: (call: CallRecord) => Promise<void>,
): Promise<Account | string> {
  const { ticket, provider, wire, shape, request } = billed;
  const { campaignId, ordinal, role, budgets } = ticket.holder;
  const price = shape.model === null ? null : priceOf(shape.model, provider.prices);
  const amount = estimate(request.byteLength, shape, price);
  const reservations: Reservation[] = [];
  for (const budget of budgets) {
    const reservation = await budget.reserve(amount, { ordinal, role, provider: provider.name });
    if (reservation !== null) {
      reservations.push(reservation);
      continue;
    }
    for (const made of reservations) await made.release();
    return budget.refusal();
  }
  const started = performance.now();
  const startedAt = new Date();
  return {
    async close(ending) {
      const { usage, status } = ending;
      const costUsd = usage === null ? null : costOf(usage, price);
      const tokens = usage === null ? 0 : usage.inputTokens + usage.outputTokens;
      const unpriced = costUsd === null && status !== null ? 1 : 0;
      for (const made of reservations) made.settle({ costUsd: costUsd ?? 0, tokens, unpriced });
      await onCall({
        ...{ campaignId, ordinal, role, startedAt, costUsd, request },
        reservation: reservations.find(({ id }) => id !== null)?.id ?? null,
        provider: provider.name,
        wire: wire.name,
        model: shape.model,
        durationMs: performance.now() - started,
        ...ending,
      });
    },
  };
}
