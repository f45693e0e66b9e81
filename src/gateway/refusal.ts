import { z } from 'zod';
import { parseJson } from './json.ts';

/** What an answer of a provider that is no success means for the calls to come. */
export type Refusal =
  /** Try again, not before `afterMs` if it says so. */
  | { readonly kind: 'limited'; readonly afterMs: number | null }
  | { readonly kind: 'broken' }
  /** No further call with this key will be served. */
  | { readonly kind: 'shut'; readonly cause: string }
  /** The request itself is wrong: the caller is told, nothing is tried again. */
  | { readonly kind: 'wrong' };

const MESSAGE_LENGTH = 300;
const QUOTA = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'credit_balance_too_low', 'billing_error']);

const errorBody = z.object({
  error: z.object({ code: z.unknown().optional(), type: z.unknown().optional(), message: z.string().optional() }),
});

/** Reads a status of 400 and above with its headers and the text of its body. `now` in milliseconds since 1970. */
export function refusalOf(status: number, headers: Headers, body: string, now: number): Refusal {
  const error = errorBody.safeParse(parseJson(body)).data?.error;
  const cause = `${status}${error?.message === undefined ? '' : `: ${error.message.slice(0, MESSAGE_LENGTH)}`}`;
  if (QUOTA.has(String(error?.code)) || QUOTA.has(String(error?.type))) return { kind: 'shut', cause };
  if (status === 401 || status === 402 || status === 403) return { kind: 'shut', cause };
  if (status === 429) return { kind: 'limited', afterMs: retryAfterMs(headers, now) };
  if (status === 503 || status === 529) {
    const afterMs = retryAfterMs(headers, now);
    return afterMs === null ? { kind: 'broken' } : { kind: 'limited', afterMs };
  }
  if (status === 408 || status === 409 || status >= 500) return { kind: 'broken' };
  return { kind: 'wrong' };
}

/** `Retry-After-Ms`, or `Retry-After` in seconds or as a date (RFC 9110, §10.2.3), in milliseconds from now. */
export function retryAfterMs(headers: Headers, now: number): number | null {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (milliseconds >= 0) return milliseconds;
  const header = headers.get('retry-after') ?? '';
  const ms = /^\d+(?:\.\d+)?$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
