import type { Lane } from '../store/index.ts';

/** The end of the workers of a campaign. */
export interface Halt {
  /** Takes no more work and waits for what runs. Never throws: what it cannot stop, the end of the queue does. */
  begin(): Promise<void>;
  readonly complete: boolean;
}

/** `wake` is called when the last worker has ended. */
export function createHalt(lanes: readonly Lane[], wake: () => void): Halt {
  let halting: Promise<void> | null = null;
  let complete = false;
  return {
    begin() {
      halting ??= Promise.allSettled(lanes.map((lane) => lane.stop())).then(() => {
        complete = true;
        wake();
      });
      return halting;
    },
    get complete() {
      return complete;
    },
  };
}
