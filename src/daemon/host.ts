import { type Campaign, restoreCampaign } from '../config/index.ts';
import { InfrastructureError, InterruptedError } from '../errors.ts';
import { createGates } from '../gateway/index.ts';
import {
  type CampaignState,
  findCampaign,
  getCampaign,
  listCampaigns,
  type Queue,
  type Store,
} from '../store/index.ts';
import type { CladeApi } from './api.ts';
import { databaseApi, requireCampaign } from './database-api.ts';
import { errorText } from './error-text.ts';
import { type Log, silent } from './log/index.ts';
import { enterMinimised, settleAside } from './minimised.ts';
import { postAtRest, postOf } from './notify/index.ts';
import type { Presence } from './presence.ts';
import { type RunEnd, startRunner } from './runner.ts';
import { createSeat, type Seat } from './seat.ts';
import { openSession } from './session.ts';
import { moveCampaign } from './state.ts';
import type { SettledJob } from './tally.ts';
import { createTurns } from './turns.ts';
import { readLive } from './views/live.ts';
import type { CampaignStatus } from './views/status.ts';
import type { Slots } from './workers.ts';

/** What a host tells whoever shows or logs it. */
export interface HostReports {
  readonly onSettled?: (campaign: string, job: SettledJob) => void;
  readonly onWarning?: (campaign: string, warning: string) => void;
  /** A campaign rests until somebody resumes it or its file changes. Only where `onBreak` is `wait`. */
  readonly onRest?: (campaign: string, end: RunEnd) => void;
  /** A campaign could not be opened or worked on and is paused. Only where `onBreak` is `wait`; elsewhere `run` rejects. */
  readonly onError?: (campaign: string, error: unknown) => void;
}

export interface HostOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly workspace: string;
  readonly presence: Presence;
  /** What this process does itself of a campaign; default: as much as the campaign says. */
  readonly slots?: Slots;
  /** What to do when a campaign comes to an end by itself: a service waits for `resume`, a foreground run ends. */
  readonly onBreak: 'wait' | 'end';
  readonly reports?: HostReports;
  /** Default: nothing is said. */
  readonly log?: Log;
}

/** The campaigns that one process serves, and the answers about them. */
export interface Host {
  readonly api: CladeApi;
  /** Whether it starts nothing more. */
  readonly closing: boolean;
  /**
   * Runs or resumes a campaign; resolves when it ends, in a service when the host closes. Started again under the same name
   * it is drained and reopened, which is how a changed configuration takes effect.
   */
  run(campaign: Campaign): Promise<RunEnd>;
  /** Like `run`, for a campaign that rests: it stays so until it is resumed. */
  hold(campaign: Campaign): Promise<RunEnd>;
  /** Starts nothing more anywhere; runs end when their jobs in flight are settled. */
  drain(): void;
  /** Ends all jobs in flight; they go back to their queues. */
  interrupt(): void;
}

/** A process elsewhere may have changed the state in the database. */
const RESUME_POLL_MS = 60_000;
const OUTAGE_POLL_MS = 5_000;
/** A campaign that was worked on and cannot be opened again is tried so often before it pauses. */
const REOPENINGS = 5;

export function createHost(options: HostOptions): Host {
  const { store, queue, workspace, presence, slots, onBreak, reports = {}, log = silent } = options;
  const seats = new Map<string, Seat>();
  const stored = databaseApi(store.db, workspace);
  const opening = new AbortController();
  const leaving = new AbortController();
  const gates = createGates();
  /** Who settles the jobs of a campaign. */
  const turns = createTurns();
  let closing = false;

  const stateOf = async (name: string) => (await findCampaign(store.db, name))?.state;

  /** From opening the campaign to the end of its last job. */
  const stretch = async (seat: Seat, why: { readonly asked: boolean; readonly rested: boolean }): Promise<RunEnd> => {
    const { campaign } = seat;
    const { name } = campaign;
    const before = await stateOf(name);
    const onWarning = (warning: string): void => reports.onWarning?.(name, warning);
    const onWait = (): void => onWarning('another process works on this campaign; this one waits until it ends');
    const deps = { store, queue, workspace, gates, presence, log, onWait, leave: leaving.signal };
    await using session = await openSession(deps, campaign, opening.signal);
    session.warnings.forEach(onWarning);
    await using _post = await postOf(session, { workspace, signal: opening.signal, onWarning });
    if (closing || seat.wanted) return { kind: 'drained' };
    // Opening takes long: a pause that came meanwhile holds.
    if (why.asked && (await stateOf(name)) === before)
      await moveCampaign(store.db, session.campaignId, 'running', null);
    const { state, cause } = await getCampaign(store.db, session.campaignId);
    // Another process brought it to its end while this one waited.
    if (state === 'finished') return { kind: 'finished', cause: cause ?? '' };
    if (state !== 'running') return { kind: 'drained' };
    const runner = await startRunner(session, {
      onSettled: (job) => reports.onSettled?.(name, job),
      onWarning,
      ...(slots === undefined ? {} : { slots }),
      resumed: why.rested || (before !== undefined && before !== 'running'),
    });
    seat.runner = runner;
    seat.served = true;
    seat.faults.clear();
    if (opening.signal.aborted) runner.interrupt();
    else if (closing || seat.wanted) runner.drain();
    try {
      return await runner.done;
    } finally {
      seat.runner = null;
    }
  };

  /** In a service, what goes wrong with one campaign pauses it, and the others go on. */
  const guarded = async (seat: Seat, why: { readonly asked: boolean; readonly rested: boolean }): Promise<RunEnd> => {
    try {
      return await turns.take(seat.campaign.name, () => stretch(seat, why));
    } catch (error) {
      // Another process took it over before it was under way: it is waited for like at the start.
      if (error instanceof InterruptedError) return { kind: closing ? 'interrupted' : 'drained' };
      const { name } = seat.campaign;
      // The database or the shared hub may still be on its way back.
      if (error instanceof InfrastructureError && seat.served && seat.faults.count < REOPENINGS && !closing) {
        reports.onWarning?.(name, `${error.message}; trying again`);
        await seat.faults.strike(error, opening.signal);
        return { kind: 'drained' };
      }
      if (onBreak === 'end') throw error;
      reports.onError?.(name, error);
      const cause = error instanceof Error ? error.message : String(error);
      await patiently(seat, async () => {
        const row = await findCampaign(store.db, name);
        if (row !== undefined) await moveCampaign(store.db, row.id, 'paused', cause);
      });
      return { kind: 'paused', cause };
    }
  };

  /** Asks the database, and again while it is away and the host is open. */
  const patiently = async <T>(seat: Seat, ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof InfrastructureError) || closing) throw error;
        reports.onWarning?.(seat.campaign.name, `${error.message}; trying again`);
        await seat.resumed.sleep(OUTAGE_POLL_MS);
      }
    }
  };

  /** Asleep until somebody resumes it, or asks for it by its file; what is left untold is told meanwhile. */
  const rest = async (seat: Seat, state: () => Promise<CampaignState | undefined>): Promise<void> => {
    const onWarning = (warning: string): void => reports.onWarning?.(seat.campaign.name, warning);
    const woken = new AbortController();
    const signal = AbortSignal.any([opening.signal, woken.signal]);
    const post = await postAtRest({ store, turns }, seat.campaign, { workspace, signal, onWarning });
    try {
      while (!closing && !seat.wanted && (await state()) !== 'running') await seat.resumed.sleep(RESUME_POLL_MS);
    } finally {
      if (!closing) woken.abort();
      await post?.close();
    }
  };

  /** One stretch after another until the campaign is over or the host closes. */
  const serve = async (seat: Seat): Promise<RunEnd> => {
    const state = () => patiently(seat, () => stateOf(seat.campaign.name));
    let end: RunEnd = { kind: 'drained' };
    let rested = !seat.wanted;
    for (;;) {
      if (rested) await rest(seat, state);
      if (closing) return end;
      const asked = seat.wanted;
      seat.wanted = false;
      end = await guarded(seat, { asked, rested });
      if (closing || end.kind === 'interrupted') return end;
      const left = await state();
      rested = !seat.wanted && (end.kind !== 'drained' || left !== 'running');
      if (!rested) continue;
      // A pause that somebody asked for is waited out even by a foreground run: the same person may resume it.
      if (onBreak === 'end' && !(end.kind === 'drained' && left === 'paused')) return end;
      reports.onRest?.(seat.campaign.name, end);
    }
  };

  const seat = (campaign: Campaign, wanted: boolean): Promise<RunEnd> => {
    const { name } = campaign;
    if (closing) return Promise.resolve({ kind: 'drained' });
    const known = seats.get(name);
    if (known !== undefined) {
      known.campaign = campaign;
      known.wanted ||= wanted;
      if (wanted) known.runner?.drain();
      known.resumed.wake();
      return known.done;
    }
    const made = createSeat(campaign, wanted);
    seats.set(name, made);
    made.done = serve(made).finally(async () => {
      seats.delete(name);
      await turns.take(name, async () => {});
    });
    return made.done;
  };

  const live = async (name: string): Promise<CampaignStatus> => {
    const seat = seats.get(name);
    // As it is now: the stretch may end while the database is asked.
    const runner = seat?.runner ?? null;
    if (seat === undefined || runner === null) {
      const status = await stored.status(name);
      return { ...status, running: seat !== undefined && status.state === 'running' };
    }
    const row = await requireCampaign(store.db, name);
    return readLive(store.db, row, seat.campaign, runner.snapshot());
  };

  return {
    api: {
      ...stored,
      campaigns: async () => Promise.all((await listCampaigns(store.db)).map(({ name }) => live(name))),
      status: live,
      async enterMinimised(name, source) {
        const row = await requireCampaign(store.db, name);
        const known = { db: store.db, workspace, row, campaign: restoreCampaign(row) };
        const view = await enterMinimised(known, source, opening.signal);
        const served = turns.taken(name);
        const settling = turns.take(name, async () => {
          if (!closing) await settleAside(known, view.job, opening.signal);
        });
        if (!served) await settling;
        // Whoever works on the campaign settles it; what comes after is for a job that was entered as that work ended.
        else
          settling.catch((error) => reports.onWarning?.(name, `job ${view.job} is not settled: ${errorText(error)}`));
        return view;
      },
      async pause(name) {
        await stored.pause(name);
        seats.get(name)?.runner?.drain();
        return live(name);
      },
      async resume(name) {
        await stored.resume(name);
        const known = seats.get(name);
        known?.resumed.wake();
        if (known === undefined && onBreak === 'wait' && !closing) {
          const campaign = restoreCampaign(await requireCampaign(store.db, name));
          seat(campaign, false).catch((error) => reports.onError?.(name, error));
        }
        return live(name);
      },
      async cancel(name, ordinal) {
        const view = await stored.cancel(name, ordinal);
        await seats.get(name)?.runner?.callOff();
        return view;
      },
      async stop(name) {
        await stored.stop(name);
        seats.get(name)?.runner?.drain();
        return live(name);
      },
    },
    get closing() {
      return closing;
    },
    run: (campaign) => seat(campaign, true),
    hold: (campaign) => seat(campaign, false),
    drain() {
      closing = true;
      leaving.abort();
      for (const { runner, resumed } of seats.values()) {
        runner?.drain();
        resumed.wake();
      }
    },
    interrupt() {
      closing = true;
      opening.abort();
      for (const { runner, resumed } of seats.values()) {
        runner?.interrupt();
        resumed.wake();
      }
    },
  };
}
