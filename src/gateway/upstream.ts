import { setTimeout as wait } from 'node:timers/promises';
import type { Gate } from './gate.ts';
import { type Refusal, refusalOf } from './refusal.ts';

/** How patient the gateway is with a provider. */
export interface Patience {
  /** Until an answer begins. */
  readonly answerMs: number;
  /** Between two pieces of an answer. */
  readonly silenceMs: number;
  /** Of one answer; more is no answer of a model. */
  readonly answerBytes: number;
  /** Attempts at a call that a broken provider failed; a provider that says when to come again is asked as often as it says. */
  readonly attempts: number;
  /** The wait after the first failure, doubled after each further one. */
  readonly backoffMs: number;
}

export const PATIENCE: Patience = {
  ...{ answerMs: 300_000, silenceMs: 120_000, attempts: 5, backoffMs: 500 },
  answerBytes: 64 * 2 ** 20,
};

/** A rate limit that does not say for how long. */
const LIMITED_MS = 2_000;
const MAX_LIMITED_MS = 60_000;
const ERROR_BYTES = 64 * 2 ** 10;

export interface UpstreamRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

/** What came of all attempts at a call. */
export type Reached =
  | { readonly kind: 'answer'; readonly response: Response; readonly attempts: number; readonly leave: () => void }
  /** The provider's own refusal of this request, to be handed on. */
  | {
      readonly kind: 'wrong';
      readonly status: number;
      readonly headers: Headers;
      readonly body: Uint8Array;
      readonly attempts: number;
    }
  | { readonly kind: 'shut'; readonly message: string; readonly attempts: number }
  | { readonly kind: 'unreachable'; readonly message: string; readonly attempts: number };

/**
 * Sends a request through the gate until it is answered, refused for good, or the attempts are used up.
 * @throws the signal's reason when it is aborted; ShutError of the gate
 */
export async function reach(
  request: UpstreamRequest,
  gate: Gate,
  patience: Patience,
  signal: AbortSignal,
): Promise<Reached> {
  let broken = 0;
  let limited = 0;
  for (let attempts = 1; ; attempts += 1) {
    const leave = await gate.enter(signal);
    const outcome = await attempt(request, patience, signal);
    if (signal.aborted) leave('failed');
    signal.throwIfAborted();
    if (outcome.kind === 'answer') {
      return { ...outcome, attempts, leave: () => leave('answered') };
    }
    if (outcome.kind === 'limited') {
      limited += 1;
      gate.hold(outcome.afterMs ?? Math.min(MAX_LIMITED_MS, LIMITED_MS * 2 ** (limited - 1)));
      leave('limited');
      continue;
    }
    if (outcome.kind === 'shut') {
      gate.shut(outcome.cause);
      leave('failed');
      return { kind: 'shut', message: outcome.cause, attempts };
    }
    leave(outcome.kind === 'wrong' ? 'answered' : 'failed');
    if (outcome.kind === 'wrong') return { ...outcome, attempts };
    broken += 1;
    if (broken === patience.attempts) return { kind: 'unreachable', message: outcome.message, attempts };
    await wait(patience.backoffMs * 2 ** (broken - 1), undefined, { signal });
  }
}

type Attempt =
  | { readonly kind: 'answer'; readonly response: Response }
  | { readonly kind: 'wrong'; readonly status: number; readonly headers: Headers; readonly body: Uint8Array }
  | { readonly kind: 'broken'; readonly message: string }
  | Exclude<Refusal, { kind: 'wrong' } | { kind: 'broken' }>;

async function attempt(request: UpstreamRequest, patience: Patience, signal: AbortSignal): Promise<Attempt> {
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(), patience.answerMs);
  try {
    const { url, method, headers, body } = request;
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'error', // a key must not follow to another host
      signal: AbortSignal.any([signal, slow.signal]),
      ...(body.byteLength === 0 ? {} : { body }),
    });
    if (response.ok && response.body !== null && !isPage(response)) return { kind: 'answer', response };
    if (response.ok) {
      await response.body?.cancel();
      const what = response.body === null ? 'nothing' : 'a web page';
      return { kind: 'broken', message: `it answered ${response.status} with ${what}` };
    }
    const text = await beginning(response);
    const refusal = refusalOf(response.status, response.headers, text, Date.now());
    if (refusal.kind === 'broken') return { kind: 'broken', message: `it answered ${response.status}` };
    if (refusal.kind !== 'wrong') return refusal;
    return { kind: 'wrong', status: response.status, headers: response.headers, body: Buffer.from(text) };
  } catch (error) {
    if (slow.signal.aborted) return { kind: 'broken', message: `no answer within ${patience.answerMs} ms` };
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { kind: 'broken', message: cause instanceof Error ? cause.message : String(cause) };
  } finally {
    clearTimeout(timer);
  }
}

/** What a captive portal, a login page or a wrong address answers. */
function isPage({ headers }: Response): boolean {
  return /^(text\/html|application\/xhtml)/i.test(headers.get('content-type') ?? '');
}

/** An error page may be of any size. */
async function beginning(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    bytes += piece.byteLength;
    if (bytes > ERROR_BYTES) break;
  }
  return Buffer.concat(pieces).toString('utf8', 0, ERROR_BYTES);
}
