import type { Spending } from './budget.ts';
import { costOf, type Price } from './prices.ts';
import type { CallShape } from './wire/wire.ts';

/** English text and code have 3 to 4 bytes a token; a reservation may be too large, not too small. */
const BYTES_PER_TOKEN = 3;
/** Set aside for a request that does not limit its answer. */
const OUTPUT_TOKENS = 4096;

/** What a call may come to, for the time that it is under way. A model without a price is counted in tokens alone. */
export function estimate(requestBytes: number, { maxOutputTokens }: CallShape, price: Price | null): Spending {
  const inputTokens = Math.ceil(requestBytes / BYTES_PER_TOKEN);
  const outputTokens = maxOutputTokens ?? OUTPUT_TOKENS;
  const costUsd = costOf({ inputTokens, cachedTokens: 0, outputTokens, reportedCostUsd: null }, price);
  return { costUsd: costUsd ?? 0, tokens: inputTokens + outputTokens, unpriced: 0 };
}
