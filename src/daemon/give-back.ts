import type { Transaction } from 'kysely';
import { InfrastructureError, InterruptedError } from '../errors.ts';
import { appendEvents, type Tables } from '../store/index.ts';
import { errorText } from './error-text.ts';
import { createFaults, type Faults } from './faults.ts';
import type { WorkerDeps } from './workers.ts';

/** A piece of work that did not come to an end. */
export interface Unended {
  /** Names it in the event of its fault. */
  readonly what: string;
  /** Where its faults are counted. */
  readonly faults: Faults;
  readonly signal: AbortSignal;
}

/**
 * Work that did not come to an end is not the candidate's fault. Interrupted work waits in its row for the next start;
 * after a fault of the machine it is enqueued again, later and later, until the scheduler pauses the campaign. `back` puts
 * the row back, and enqueues it when told to.
 */
export async function giveBack(
  deps: Pick<WorkerDeps, 'session' | 'interrupt' | 'wake'>,
  work: Unended,
  error: unknown,
  back: (trx: Transaction<Tables>, again: boolean) => Promise<void>,
): Promise<void> {
  const { interrupt, session } = deps;
  const { store, campaignId } = session;
  const fault = !(error instanceof InterruptedError) && !work.signal.aborted;
  if (fault) {
    const waited = work.faults.strike(error, work.signal);
    // The scheduler decides at once whether this was one fault too many.
    deps.wake();
    await waited;
  }
  const message = error instanceof Error ? error.message : String(error);
  const write = (): Promise<void> =>
    store.db.transaction().execute(async (trx) => {
      await back(trx, !interrupt.aborted);
      if (fault) await appendEvents(trx, [{ campaignId, kind: 'fault', data: { what: work.what, message } }]);
    });
  await persist(write, interrupt);
}

/**
 * Ends work for good that failed of itself as often as it was tried: given back once more it would stop the campaign at
 * every start. `end` writes its outcome.
 */
export async function writeOff(
  deps: Pick<WorkerDeps, 'session' | 'interrupt'>,
  what: string,
  error: unknown,
  end: (trx: Transaction<Tables>) => Promise<void>,
): Promise<void> {
  const { store, campaignId } = deps.session;
  const write = (): Promise<void> =>
    store.db.transaction().execute(async (trx) => {
      await end(trx);
      await appendEvents(trx, [{ campaignId, kind: 'fault', data: { what, message: errorText(error) } }]);
    });
  await persist(write, deps.interrupt);
}

/** Tries until the database is there again; an interruption ends that, and the next start finds the row. */
async function persist(write: () => Promise<void>, interrupt: AbortSignal): Promise<void> {
  const outage = createFaults();
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!(error instanceof InfrastructureError) || interrupt.aborted) throw error;
      await outage.strike(error, interrupt);
    }
  }
}
