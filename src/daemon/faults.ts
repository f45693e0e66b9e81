import { setTimeout as wait } from 'node:timers/promises';
import { ConfigurationError } from '../errors.ts';
import { errorText } from './error-text.ts';

/** Faults of the machine in a row at one kind of work. It is tried again after a pause; the scheduler reads `count`. */
export interface Faults {
  readonly count: number;
  /** The latest fault, as text. */
  readonly last: string;
  /** The first fault of the configuration with what to do about it, or null: no trying mends one. Stays when others get through. */
  readonly misconfigured: string | null;
  /**
   * Counts a fault at once and waits before the work is tried again: 0.5 s, 1 s, 2 s … at most 30 s. Faults that come while
   * a wait is under way are the same trouble seen by other lanes: they wait with it and count once. Ends early with `signal`.
   */
  strike(error: unknown, signal: AbortSignal): Promise<void>;
  /** Something got through. */
  clear(): void;
}

/** Milliseconds that never go back, and an abortable sleep. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Faults in a row after which they count as lasting. */
export const LASTING = 3;

/** The fault that does not go away, of several kinds of work, or null. Pure. */
export function lastingFault(kinds: readonly Pick<Faults, 'count' | 'last' | 'misconfigured'>[]): string | null {
  const ailing = kinds.find(({ count, misconfigured }) => misconfigured !== null || count >= LASTING);
  return ailing === undefined ? null : (ailing.misconfigured ?? ailing.last);
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

const CLOCK: Clock = {
  now: () => performance.now(),
  // An aborted wait is a wait that is over.
  sleep: (ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined),
};

export function createFaults(clock: Clock = CLOCK): Faults {
  let count = 0;
  let last = '';
  let misconfigured: string | null = null;
  let until = Number.NEGATIVE_INFINITY;
  return {
    get count() {
      return count;
    },
    get last() {
      return last;
    },
    get misconfigured() {
      return misconfigured;
    },
    strike(error, signal) {
      const now = clock.now();
      last = error instanceof Error ? error.message : String(error);
      if (error instanceof ConfigurationError) misconfigured ??= errorText(error);
      if (now >= until) {
        count += 1;
        until = now + Math.min(FIRST_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS);
      }
      return clock.sleep(until - now, signal);
    },
    clear() {
      count = 0;
      until = Number.NEGATIVE_INFINITY;
    },
  };
}
