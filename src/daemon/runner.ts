import type { Population } from '../qd/index.ts';
import { addWallMs, appendEvents, type CampaignState, type Lane, setCampaignState } from '../store/index.ts';
import { createFaults } from './faults.ts';
import { createFlights, type Flight } from './flight.ts';
import { brokenMachine, decide } from './limits.ts';
import { planNext, planTheRoot } from './plan.ts';
import { readTally, requeueUnfinished, tidyDisk } from './recover.ts';
import type { Session } from './session.ts';
import { restore, settleReady } from './settle.ts';
import { count, type SettledJob, type Tally } from './tally.ts';
import { createWake } from './wake.ts';
import { startWorkers } from './workers.ts';

/** How a stretch of work on a campaign ended. `paused` and `finished` are also in the database. */
export type RunEnd =
  | { readonly kind: 'finished'; readonly cause: string }
  | { readonly kind: 'paused'; readonly cause: string }
  | { readonly kind: 'drained' }
  | { readonly kind: 'interrupted' };

/** The campaign as its runner has it in memory. */
export interface Snapshot {
  readonly tally: Tally;
  readonly planned: number;
  readonly wallMs: number;
  readonly population: Population;
  readonly flights: readonly Flight[];
}

/** One stretch of work on one campaign, from recovery to the end of its last job. */
export interface Runner {
  readonly done: Promise<RunEnd>;
  snapshot(): Snapshot;
  /** Plans no more; ends when what is in flight is settled. */
  drain(): void;
  /** Ends what is in flight, which goes back to its queue. */
  interrupt(): void;
}

/** Asleep for so long with nothing in flight, the runner looks for work that got lost between a row and its queue. */
const STALL_MS = 5_000;

/** Recovers and starts a campaign. `onSettled` is told of every job as it is settled. */
export async function startRunner(session: Session, onSettled: (job: SettledJob) => void): Promise<Runner> {
  const { store, queue, campaignId, campaign } = session;
  const [primary] = campaign.evaluator.objectives;
  if (primary === undefined) throw new RangeError('a campaign has at least one objective');
  await setCampaignState(store.db, campaignId, 'running', null);
  await tidyDisk(session);
  await queue.prepare(campaignId);
  await requeueUnfinished(session);
  await planTheRoot(session);

  let population = await restore(session);
  let { tally, planned } = await readTally(session);
  let wallMs = await addWallMs(store.db, campaignId, 0);
  let clock = performance.now();
  let draining = false;
  const interruption = new AbortController();
  const flights = createFlights();
  const faults = createFaults();
  const alarm = createWake();

  const settled = (job: SettledJob): void => {
    flights.leave(job.ordinal);
    count(tally, job, primary);
    onSettled(job);
  };

  /** Settles what it can. A failed settlement leaves the memory ahead of the database, so both are read anew. */
  const settle = async (): Promise<void> => {
    try {
      while ((await settleReady(session, population, settled)) > 0);
    } catch (error) {
      await faults.strike(error, interruption.signal);
      population = await restore(session);
      ({ tally, planned } = await readTally(session));
    }
  };

  const chargeWall = async (): Promise<void> => {
    const now = performance.now();
    wallMs = await addWallMs(store.db, campaignId, Math.round(now - clock));
    clock = now;
  };

  const end = async (state: CampaignState & ('paused' | 'finished'), cause: string): Promise<RunEnd> => {
    await store.db.transaction().execute(async (trx) => {
      await setCampaignState(trx, campaignId, state, cause);
      await appendEvents(trx, [{ campaignId, kind: `campaign.${state}`, data: { cause } }]);
    });
    return { kind: state, cause };
  };

  /** One look at the state of things; null means: wait for the next event. */
  const step = async (): Promise<RunEnd | null> => {
    if (interruption.signal.aborted) return { kind: 'interrupted' };
    await settle();
    const broken = brokenMachine(faults);
    if (broken !== null) return end('paused', broken);
    if (tally.rootRefusal !== null)
      return end('paused', `the evaluator refuses the root itself (${tally.rootRefusal})`);
    if (tally.root === null || tally.settled < planned) return null;
    await chargeWall();
    if (draining) return { kind: 'drained' };
    const verdict = decide({ campaign, tally, planned, wallMs });
    if (verdict.kind === 'finish') return end('finished', verdict.cause);
    if (verdict.kind === 'pause') return end('paused', verdict.cause);
    planned += await planNext(session, population, { nextOrdinal: planned + 1, count: verdict.count });
    return null;
  };

  const loop = async (): Promise<RunEnd> => {
    const lanes = await startWorkers({ session, flights, faults, interrupt: interruption.signal, wake: alarm.wake });
    try {
      for (;;) {
        const ended = await step();
        if (ended !== null) return ended;
        const woken = await alarm.sleep(STALL_MS);
        if (!woken && flights.list().every((flight) => flight.stage === 'waiting')) await requeueUnfinished(session);
      }
    } finally {
      interruption.abort();
      await stopLanes(lanes);
      await chargeWall();
    }
  };

  return {
    done: loop(),
    snapshot: () => ({ tally, planned, wallMs, population, flights: flights.list() }),
    drain() {
      draining = true;
      alarm.wake();
    },
    interrupt() {
      interruption.abort();
      alarm.wake();
    },
  };
}

async function stopLanes(lanes: readonly Lane[]): Promise<void> {
  await Promise.all(lanes.map((lane) => lane.stop()));
}
