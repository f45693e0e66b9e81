import { InfrastructureError } from '../errors.ts';
import type { Store } from '../store/index.ts';

/** A piece of work of this process while its claim holds. */
export interface Hold extends Disposable {
  /** Aborted when the claim is void, because the job was cancelled, or when `signal` of the work is. */
  readonly signal: AbortSignal;
}

/** The work of a campaign in this process, each piece with the claim that it goes on by. */
export interface Holds {
  /** @param isHeld asks the row of the claim */
  hold(isHeld: () => Promise<boolean>, signal: AbortSignal): Hold;
  /** Asks all rows now and ends the work whose claim is void. */
  look(): Promise<void>;
}

/** With a server any process may cancel a job, so the rows are asked so often while there is work. */
const LOOK_MS = 1_000;

export function createHolds({ kind }: Pick<Store, 'kind'>, lookMs = LOOK_MS): Holds {
  const held = new Map<AbortController, () => Promise<boolean>>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    await Promise.all(
      [...held].map(async ([controller, isHeld]) => {
        if (!(await isHeld())) controller.abort();
      }),
    );
  };
  const patrol = (): void => {
    // While the database is away nobody can cancel anything either.
    look().catch((error: unknown) => {
      if (!(error instanceof InfrastructureError)) throw error;
    });
  };
  return {
    hold(isHeld, signal) {
      const controller = new AbortController();
      held.set(controller, isHeld);
      if (kind === 'postgres' && timer === undefined) timer = setInterval(patrol, lookMs).unref();
      return {
        signal: AbortSignal.any([signal, controller.signal]),
        [Symbol.dispose]() {
          held.delete(controller);
          if (held.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
    look,
  };
}
