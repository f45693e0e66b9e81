import type { Campaign } from '../config/index.ts';
import { getCampaign, type Queue, type Store } from '../store/index.ts';
import type { CladeApi } from './api.ts';
import { databaseApi, requireCampaign } from './database-api.ts';
import { type RunEnd, type Runner, startRunner } from './runner.ts';
import { openSession } from './session.ts';
import type { SettledJob } from './tally.ts';
import { type CampaignStatus, glance, statusOf } from './views/status.ts';
import { createWake, type Wake } from './wake.ts';

/** What a host tells whoever shows or logs it. */
export interface HostReports {
  readonly onSettled?: (campaign: string, job: SettledJob) => void;
  readonly onWarning?: (campaign: string, warning: string) => void;
}

export interface HostOptions {
  readonly store: Store;
  readonly queue: Queue;
  readonly workspace: string;
  /** What to do when a campaign pauses by itself: a service waits for `resume`, a foreground run ends. */
  readonly onBreak: 'wait' | 'end';
  readonly reports?: HostReports;
}

/** The campaigns that one process serves, and the answers about them. */
export interface Host {
  readonly api: CladeApi;
  /**
   * Runs or resumes a campaign; resolves when it ends. Started again under the same name it is drained and reopened, which
   * is how a changed configuration takes effect.
   */
  run(campaign: Campaign): Promise<RunEnd>;
  /** Plans no more anywhere; runs end when their jobs in flight are settled. */
  drain(): void;
  /** Ends all jobs in flight; they go back to their queues. */
  interrupt(): void;
}

interface Seat {
  campaign: Campaign;
  runner: Runner | null;
  readonly resumed: Wake;
  reopen: boolean;
  done: Promise<RunEnd>;
}

const RESUME_POLL_MS = 60_000;

export function createHost({ store, queue, workspace, onBreak, reports = {} }: HostOptions): Host {
  const seats = new Map<string, Seat>();
  const stored = databaseApi(store.db);
  const opening = new AbortController();
  let closing = false;

  /** One stretch after another until the campaign is over or the host closes. */
  const serve = async (seat: Seat): Promise<RunEnd> => {
    for (;;) {
      seat.reopen = false;
      const { campaign } = seat;
      const session = await openSession({ store, queue, workspace }, campaign, opening.signal);
      for (const warning of session.warnings) reports.onWarning?.(campaign.name, warning);
      const runner = await startRunner(session, (job) => reports.onSettled?.(campaign.name, job));
      seat.runner = runner;
      if (closing) runner.drain();
      const end = await runner.done;
      seat.runner = null;
      if (closing || end.kind === 'interrupted') return end;
      if (seat.reopen) continue;
      const { state } = await getCampaign(store.db, session.campaignId);
      if (state === 'running' && end.kind === 'drained') continue;
      const waits = state === 'paused' && (end.kind === 'drained' || onBreak === 'wait');
      if (!waits) return end;
      if (!(await resumption(seat, session.campaignId))) return end;
    }
  };

  /** Waits until the campaign is running again; false when the host closes first. */
  const resumption = async (seat: Seat, campaignId: number): Promise<boolean> => {
    for (;;) {
      if (closing) return false;
      if (seat.reopen || (await getCampaign(store.db, campaignId)).state === 'running') return true;
      await seat.resumed.sleep(RESUME_POLL_MS);
    }
  };

  const live = async (name: string): Promise<CampaignStatus> => {
    const seat = seats.get(name);
    if (seat?.runner === undefined || seat.runner === null) return stored.status(name);
    const row = await requireCampaign(store.db, name);
    const { population, ...snapshot } = seat.runner.snapshot();
    return statusOf(row, seat.campaign, { ...snapshot, archive: glance(population) }, true);
  };

  /** Changes the state in the database, then lets the seat notice. */
  const steer = async (name: string, act: (name: string) => Promise<unknown>): Promise<CampaignStatus> => {
    await act(name);
    const seat = seats.get(name);
    seat?.runner?.drain();
    seat?.resumed.wake();
    return live(name);
  };

  return {
    api: {
      ...stored,
      campaigns: async () => Promise.all((await stored.campaigns()).map((campaign) => live(campaign.name))),
      status: live,
      pause: (name) => steer(name, stored.pause),
      resume: (name) => steer(name, stored.resume),
      stop: (name) => steer(name, stored.stop),
    },
    run(campaign) {
      const known = seats.get(campaign.name);
      if (known !== undefined) {
        known.campaign = campaign;
        known.reopen = true;
        known.runner?.drain();
        known.resumed.wake();
        return known.done;
      }
      const seat: Seat = {
        campaign,
        runner: null,
        resumed: createWake(),
        reopen: false,
        done: Promise.resolve({ kind: 'drained' }),
      };
      seats.set(campaign.name, seat);
      seat.done = serve(seat).finally(() => seats.delete(campaign.name));
      return seat.done;
    },
    drain() {
      closing = true;
      for (const seat of seats.values()) {
        seat.runner?.drain();
        seat.resumed.wake();
      }
    },
    interrupt() {
      closing = true;
      opening.abort();
      for (const seat of seats.values()) {
        seat.runner?.interrupt();
        seat.resumed.wake();
      }
    },
  };
}
