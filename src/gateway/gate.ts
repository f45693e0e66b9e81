/** Time as a gate sees it: milliseconds that never go back, and an abortable wait. */
export interface Clock {
  now(): number;
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** What a request leaves the gate with. */
export type Exit = 'answered' | 'limited' | 'failed';

/** Who may call one provider, and when. */
export interface Gate {
  /**
   * Waits until a request may be sent, in order of asking, and returns what to call when it is over.
   * @throws ShutError when the provider is shut; the signal's reason when it is aborted
   */
  enter(signal: AbortSignal): Promise<(exit: Exit) => void>;
  /** The provider asked for a pause: no request is sent before it is over, and then one alone until it is answered. */
  hold(ms: number): void;
  /** The provider will not serve this key (no quota, not authorised): every request fails at once until `open`. */
  shut(cause: string): void;
  open(): void;
  /** Requests at the same time, from now on. */
  resize(width: number): void;
  /** Whether it waits because the provider asked for that. */
  readonly held: boolean;
  /** Why it is shut, else null. */
  readonly cause: string | null;
}

/** A provider that takes no requests until somebody does something about it. */
export class ShutError extends Error {}

/** `most`: requests at the same time. */
export function createGate(most: number, clock: Clock): Gate {
  let width = most;
  let inside = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  /** After a hold one request goes ahead: all at once would only be refused again. */
  let probing = false;
  let cause: string | null = null;
  let changed = Promise.withResolvers<void>();
  let queue: Promise<unknown> = Promise.resolve();

  const change = (): void => {
    const { resolve } = changed;
    changed = Promise.withResolvers<void>();
    resolve();
  };

  const admitted = async (signal: AbortSignal): Promise<void> => {
    for (;;) {
      signal.throwIfAborted();
      if (cause !== null) throw new ShutError(cause);
      const wait = notBefore - clock.now();
      const room = inside < (probing ? 1 : width);
      if (wait <= 0 && room) return;
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal]);
      const waits = [changed.promise, wait > 0 ? clock.sleep(wait, either) : never(either)];
      await Promise.race(waits.map((each) => each.catch(() => undefined)));
      over.abort();
    }
  };

  return {
    async enter(signal) {
      const turn = queue.then(() => admitted(signal));
      // Whoever comes next waits for this one's turn, however that ended.
      queue = turn.catch(() => undefined);
      await turn;
      inside += 1;
      let left = false;
      return (exit) => {
        if (left) return;
        left = true;
        inside -= 1;
        if (exit === 'answered') probing = false;
        change();
      };
    },
    hold(ms) {
      notBefore = Math.max(notBefore, clock.now() + ms);
      probing = true;
      change();
    },
    shut(why) {
      cause = why;
      change();
    },
    open() {
      cause = null;
      notBefore = Number.NEGATIVE_INFINITY;
      probing = false;
      change();
    },
    resize(wanted) {
      width = wanted;
      change();
    },
    get held() {
      return clock.now() < notBefore;
    },
    get cause() {
      return cause;
    },
  };
}

/** Settles when the signal is aborted. */
function never(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
