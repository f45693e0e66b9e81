import { InfrastructureError, InterruptedError } from '../errors.ts';
import { buryWorkers, countWaiting, getCampaign, hasAbandoned, lessonsAt, listWorkers } from '../store/index.ts';
import { commonFault } from './crew.ts';
import { watchRoom } from './disk.ts';
import { createFaults } from './faults.ts';
import { atCheckpoint, atTheEnd, decideOpen } from './finals/index.ts';
import { createFlights, type Flight } from './flight.ts';
import { createHalt, type Halt } from './halt.ts';
import { createHolds } from './holds.ts';
import { hourly } from './keep/index.ts';
import { leading } from './leading.ts';
import { createKeeper } from './lessons/index.ts';
import { brokenMachine, decide, freeSlots } from './limits.ts';
import { type Fields, inSpan, toldOf } from './log/index.ts';
import { type Memory, recall } from './memory.ts';
import { planNext, planTheRoot } from './plan.ts';
import { leaseSeconds } from './presence.ts';
import { reconcile, requeueUnfinished } from './recover/index.ts';
import type { Session } from './session.ts';
import { settleReady, untriedLeader } from './settle.ts';
import { moveCampaignIn } from './state.ts';
import type { SettledJob } from './tally.ts';
import { createWake } from './wake.ts';
import { startWall } from './wall.ts';
import { type Slots, startWorkers } from './workers.ts';

/** How a stretch of work on a campaign ended. `paused` and `finished` are also in the database. */
export type RunEnd =
  | { readonly kind: 'finished'; readonly cause: string }
  | { readonly kind: 'paused'; readonly cause: string }
  | { readonly kind: 'drained' }
  | { readonly kind: 'interrupted' };

/** The campaign as its runner has it in memory. */
export interface Snapshot extends Memory {
  readonly wallMs: number;
  readonly flights: readonly Flight[];
}

/** One stretch of work on one campaign, from recovery to the end of its last job. */
export interface Runner {
  readonly done: Promise<RunEnd>;
  snapshot(): Snapshot;
  /** Starts nothing more; ends when what is in flight has ended and is settled. What waits in a queue stays there. */
  drain(): void;
  /** Ends what is in flight, which goes back to its queue. */
  interrupt(): void;
  /** Ends work on jobs that were cancelled, and settles them. */
  callOff(): Promise<void>;
}

export interface RunnerOptions {
  /** Told of every job as it is settled. */
  readonly onSettled: (job: SettledJob) => void;
  /** Told of faults that the runner waits out. */
  readonly onWarning: (warning: string) => void;
  /** True when a person let a paused campaign go on: what paused it does not pause it again at once. */
  readonly resumed: boolean;
  /** What this process does itself; default: as much as the campaign says. */
  readonly slots?: Slots;
}

/** Asleep for so long with nothing in flight, the runner looks for work that got lost between a row and its queue. */
const STALL_MS = 5_000;
/** Time is charged to the budget in steps of this, so that a kill forgets no more. */
const CHARGE_MS = 1_000;

/** Recovers and starts a campaign. */
export async function startRunner(session: Session, options: RunnerOptions): Promise<Runner> {
  const { store, queue, campaignId, campaign } = session;
  await queue.prepare(campaignId);
  for (const warning of await reconcile(session)) options.onWarning(warning);
  await requeueUnfinished(session, session.claimant.worker);
  await planTheRoot(session);

  let memory = await recall(session);
  let stale = false;
  const forgiven = options.resumed ? memory.tally.settled : null;
  const wall = await startWall(session);
  let draining = false;
  const interruption = new AbortController();
  const signal = AbortSignal.any([interruption.signal, session.lost]);
  const flights = createFlights();
  const holds = createHolds(store);
  const faults = { generate: createFaults(), evaluate: createFaults(), settle: createFaults() };
  const outage = createFaults();
  const alarm = createWake();
  const learned = (await lessonsAt(store.db, campaignId))?.settled ?? 0;
  const lessons = createKeeper(session, learned, { signal, wake: alarm.wake });

  const settled = (job: SettledJob): void => {
    flights.leave(job.ordinal);
    toldOf(session.logs, job.ordinal, settledInWords(job), 'settled');
    options.onSettled(job);
  };

  const reread = async (): Promise<void> => {
    stale = true;
    memory = await recall(session);
    stale = false;
  };

  /** Settles what it can. A failed settlement leaves the memory ahead of the database, so it is read anew. */
  const settle = async (): Promise<void> => {
    try {
      while ((await settleReady(session, memory, { onSettled: settled, signal })).more);
      faults.settle.clear();
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof InterruptedError) throw error;
      await reread();
      await faults.settle.strike(error, signal);
    }
  };

  const end = async (state: 'paused' | 'finished', cause: string): Promise<RunEnd> => {
    await leading(session, (trx) => moveCampaignIn(trx, campaignId, state, cause));
    return { kind: state, cause };
  };

  /** What it ended with short of its end: what others took over goes on there, or here again when they let go. */
  const left = (): RunEnd => ({ kind: interruption.signal.aborted ? 'interrupted' : 'drained' });

  /** Whether this process works on no job. */
  const isIdle = (): boolean => flights.list().every((flight) => flight.stage === 'waiting');

  /** Puts back to work what workers held that are gone, and what got lost between a row and its queue. */
  const recover = async (): Promise<null> => {
    await requeueUnfinished(session, isIdle() ? session.claimant.worker : null);
    return null;
  };

  const leaseMs = leaseSeconds() * 1000;
  let recovered = performance.now();
  /** Whether work may have got lost. Others that work on it cannot be seen from here, so with a server it is looked for now and then. */
  const seemsStalled = (): boolean => {
    if (store.kind === 'pglite') return isIdle();
    if (performance.now() - recovered < 2 * leaseMs) return false;
    recovered = performance.now();
    return true;
  };

  let buried = performance.now();
  /** Since when the database answers. While it was away nobody could say that he lives. */
  let inTouch = performance.now();
  /** Looks after the workers elsewhere: those that went silent, and whether any gets on. */
  const muster = async (): Promise<RunEnd | null> => {
    if (store.kind === 'pglite' || performance.now() < Math.max(buried + leaseMs / 6, inTouch + leaseMs)) return null;
    buried = performance.now();
    await buryWorkers(store.db, leaseSeconds());
    if (await hasAbandoned(store.db, campaignId)) await recover();
    const row = await getCampaign(store.db, campaignId);
    const fault = commonFault(row, await countWaiting(store.db, campaignId), await listWorkers(store.db));
    return fault === null || row.state !== 'running' ? null : end('paused', fault);
  };

  const tidyUp = hourly(session, options.onWarning);
  const roomNow = watchRoom(session, options.onWarning);

  /** One look at the state of things; null means: wait for the next event. */
  const step = async (halt: Halt): Promise<RunEnd | null> => {
    if (signal.aborted) return left();
    if (stale) await reread();
    await settle();
    if (signal.aborted) return left();
    await wall.charge(CHARGE_MS);
    await tidyUp();
    const { tally, planned } = memory;
    if (!draining) {
      const room = await roomNow();
      if (room === 'none') return null;
      // What failed for want of room is over with it.
      if (room === 'again') for (const kind of Object.values(faults)) kind.clear();
    }
    const broken = brokenMachine(Object.values(faults));
    if (broken !== null) return end('paused', broken);
    if (tally.rootRefusal !== null) {
      return end('paused', `the evaluator refuses the root itself (${tally.rootRefusal})`);
    }
    await decideOpen(session);
    if (draining) return halt.complete ? { kind: 'drained' } : null;
    const free = freeSlots(campaign.search.schedule, planned - tally.settled);
    if (tally.root === null || free === 0 || untriedLeader(campaign, tally) !== null) return null;
    // Somebody with the same database but another process may have paused or stopped it.
    if ((await getCampaign(store.db, campaignId)).state !== 'running') return { kind: 'drained' };
    const verdict = decide({
      campaign,
      tally,
      planned,
      free,
      wallMs: wall.usedMs,
      forgiven,
      exhausted: await session.models.exhausted(),
    });
    // The end waits for the jobs in flight, which are charged and may still be better.
    if (verdict.kind !== 'plan' && tally.settled < planned) return null;
    if (verdict.kind === 'pause') return end('paused', verdict.cause);
    if (verdict.kind === 'finish') {
      return (await atTheEnd(session, tally.settled)) ? end('finished', verdict.cause) : null;
    }
    if (!lessons.ready(tally.settled)) return null;
    await atCheckpoint(session, tally.settled);
    const more = await inSpan('plan', { 'clade.campaign': campaign.name, 'clade.jobs': verdict.count }, () =>
      planNext(session, memory, verdict.count),
    );
    session.logs.log.info({ jobs: more, settled: tally.settled }, 'planned');
    memory = { ...memory, planned: planned + more };
    return null;
  };

  /** A database that is away is waited for: nothing can be decided or written down without it, a pause neither. */
  const patiently = async (look: () => Promise<RunEnd | null>): Promise<RunEnd | null> => {
    try {
      const ended = await look();
      outage.clear();
      return ended;
    } catch (error) {
      if (error instanceof InterruptedError) {
        options.onWarning(error.message);
        return left();
      }
      if (!(error instanceof InfrastructureError)) throw error;
      stale = true;
      // What waited for the database may have been lost on its way to the queue.
      recovered = Number.NEGATIVE_INFINITY;
      options.onWarning(`${error.message}; trying again`);
      await outage.strike(error, signal);
      inTouch = performance.now();
      return null;
    }
  };

  const loop = async (): Promise<RunEnd> => {
    const { slots = { generate: campaign.agents.concurrency, evaluate: campaign.evaluator.concurrency } } = options;
    const lanes = await startWorkers({ session, flights, holds, faults, interrupt: signal, wake: alarm.wake }, slots);
    session.lead.onNews(alarm.wake);
    session.lost.addEventListener('abort', alarm.wake);
    const halt = createHalt(lanes, alarm.wake);
    try {
      for (;;) {
        if (draining) void halt.begin();
        const ended = await patiently(() => step(halt));
        if (ended !== null) return ended;
        const woken = await alarm.sleep(STALL_MS);
        if (!woken && !draining && seemsStalled()) await patiently(recover);
        const given = draining ? null : await patiently(muster);
        if (given !== null) return given;
      }
    } finally {
      interruption.abort();
      await halt.begin();
      await lessons.idle();
      await wall.charge().catch((error: Error) => options.onWarning(`the time used was not charged: ${error.message}`));
    }
  };

  return {
    done: loop(),
    snapshot: () => ({ ...memory, wallMs: wall.usedMs, flights: flights.list() }),
    drain() {
      draining = true;
      alarm.wake();
    },
    interrupt() {
      interruption.abort();
      alarm.wake();
    },
    async callOff() {
      await holds.look();
      alarm.wake();
    },
  };
}

/** What became of a job, for its log. */
function settledInWords({ outcome, stage, failureKind, reason, scores, commit }: SettledJob): Fields {
  return { outcome, in: stage, failure: failureKind, reason, scores, commit };
}
