import type { TokenUsage } from './usage.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  /** For input that was read from the provider's cache; absent: as other input. */
  readonly cached?: number | undefined;
  readonly output: number;
}

/** When the list prices below were taken down. They change; a campaign's `providers` override them. */
export const PRICES_AS_OF = '2025-08';

/** List prices of the providers' own services, by the name of a model without its date. */
const LIST: Readonly<Record<string, Price>> = {
  'gpt-4o': { input: 2.5, cached: 1.25, output: 10 },
  'gpt-4o-mini': { input: 0.15, cached: 0.075, output: 0.6 },
  'gpt-4.1': { input: 2, cached: 0.5, output: 8 },
  'gpt-4.1-mini': { input: 0.4, cached: 0.1, output: 1.6 },
  'gpt-4.1-nano': { input: 0.1, cached: 0.025, output: 0.4 },
  'gpt-5': { input: 1.25, cached: 0.125, output: 10 },
  'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2 },
  'gpt-5-nano': { input: 0.05, cached: 0.005, output: 0.4 },
  'o4-mini': { input: 1.1, cached: 0.275, output: 4.4 },
  'text-embedding-3-small': { input: 0.02, output: 0 },
  'text-embedding-3-large': { input: 0.13, output: 0 },
  'claude-3-5-haiku': { input: 0.8, cached: 0.08, output: 4 },
  'claude-sonnet-4': { input: 3, cached: 0.3, output: 15 },
  'claude-opus-4': { input: 15, cached: 1.5, output: 75 },
  'gemini-2.5-pro': { input: 1.25, cached: 0.31, output: 10 },
  'gemini-2.5-flash': { input: 0.3, cached: 0.075, output: 2.5 },
};

/** A name goes on with a date or a size (`gpt-4o-2024-11-20`), and a size that is not listed has another price. */
const DATED = /^(?:-\d{4}-?\d{2}-?\d{2}|-latest)?$/;

/** The price of a model: the user's own by its full name, else the list's; null when nobody knows. */
export function priceOf(model: string, own: Readonly<Record<string, Price>>): Price | null {
  const given = own[model];
  if (given !== undefined) return given;
  const name = Object.keys(LIST).find((known) => model.startsWith(known) && DATED.test(model.slice(known.length)));
  return name === undefined ? null : (LIST[name] ?? null);
}

/** US dollars; what the provider reports wins over the table. Null when the price is unknown. */
export function costOf(usage: TokenUsage, price: Price | null): number | null {
  if (usage.reportedCostUsd !== null) return usage.reportedCostUsd;
  if (price === null) return null;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedTokens);
  const cached = usage.cachedTokens * (price.cached ?? price.input);
  return (fresh * price.input + cached + usage.outputTokens * price.output) / 1e6;
}
