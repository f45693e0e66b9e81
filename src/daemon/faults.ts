import { setTimeout as sleep } from 'node:timers/promises';

/** Infrastructure faults in a row. The work goes back to the queue after a pause; the scheduler reads `count`. */
export interface Faults {
  readonly count: number;
  /** The latest fault, as text. */
  readonly last: string;
  /** Counts a fault and waits before the work is tried again: 0.5 s, 1 s, 2 s … at most 30 s. Ends early with `signal`. */
  strike(error: unknown, signal: AbortSignal): Promise<void>;
  /** Something got through. */
  clear(): void;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export function createFaults(): Faults {
  let count = 0;
  let last = '';
  return {
    get count() {
      return count;
    },
    get last() {
      return last;
    },
    async strike(error, signal) {
      count += 1;
      last = error instanceof Error ? error.message : String(error);
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    },
    clear() {
      count = 0;
    },
  };
}
