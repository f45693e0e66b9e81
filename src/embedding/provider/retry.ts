import { setTimeout as wait } from 'node:timers/promises';
import { APIError } from 'openai';
import { InfrastructureError, InterruptedError } from '../../errors.ts';
import { retryAfterMs } from '../../gateway/index.ts';

export interface RetryLimits {
  /** For one request with all its attempts and waits. */
  readonly deadlineMs: number;
  readonly attemptTimeoutMs: number;
  readonly attempts: number;
  /** The wait after the first failure, doubled after each further one, unless the server says how long. */
  readonly backoffMs: number;
}

export const DEFAULT_RETRY: RetryLimits = {
  deadlineMs: 300_000,
  attemptTimeoutMs: 60_000,
  // What the gateway did not get through is not asked for much longer.
  attempts: 3,
  backoffMs: 500,
};

/**
 * Calls `attempt` until it answers, fails for good, or the attempts or the time are used up. Worth another attempt are: no
 * connection, no whole answer in time, 408, 409, 429 (but not an exhausted quota) and 5xx.
 * @throws InfrastructureError with the last failure as its cause; InterruptedError when `signal` fired.
 */
export async function retrying<T>(
  what: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  limits: RetryLimits,
  signal: AbortSignal,
): Promise<T> {
  const endsAt = performance.now() + limits.deadlineMs;
  for (let made = 1; ; made += 1) {
    const timeoutMs = Math.max(1, Math.min(limits.attemptTimeoutMs, endsAt - performance.now()));
    const timeout = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      return await attempt(AbortSignal.any([signal, timeout]));
    } catch (cause) {
      if (signal.aborted) throw new InterruptedError(`${what} was stopped`, { cause });
      if (!timeout.aborted && !transient(cause)) throw failure(what, made, cause);
      const waitMs = askedWaitMs(cause) ?? limits.backoffMs * 2 ** (made - 1);
      if (made === limits.attempts || performance.now() + waitMs >= endsAt) throw failure(what, made, cause);
      await pause(what, waitMs, signal);
    }
  }
}

function transient(cause: unknown): boolean {
  // An answer that we understood and refused stays wrong; a body that broke off or is no JSON may come whole next time.
  if (cause instanceof InfrastructureError) return false;
  if (!(cause instanceof APIError) || cause.status === undefined) return true;
  if (cause.code === 'insufficient_quota') return false;
  return [408, 409, 429].includes(cause.status) || cause.status >= 500;
}

function failure(what: string, attempts: number, cause: unknown): InfrastructureError {
  if (cause instanceof InfrastructureError) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const denied = cause instanceof APIError && [401, 402, 403].includes(cause.status ?? 0);
  const quota = cause instanceof APIError && cause.code === 'insufficient_quota';
  return new InfrastructureError(`${what} failed after ${attempts} attempt${attempts === 1 ? '' : 's'}: ${reason}`, {
    cause,
    ...(denied || quota ? { hint: 'check the key and the quota of the embedding provider' } : {}),
  });
}

/** How long the server asked us to wait, in milliseconds. */
function askedWaitMs(cause: unknown): number | null {
  return cause instanceof APIError && cause.headers ? retryAfterMs(cause.headers, Date.now()) : null;
}

async function pause(what: string, waitMs: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(waitMs, undefined, { signal });
  } catch (cause) {
    throw new InterruptedError(`${what} was stopped`, { cause });
  }
}
