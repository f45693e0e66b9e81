import { workspaceFolders } from '../../pipeline/index.ts';
import { type CampaignRow, listCampaigns, startDraining } from '../../store/index.ts';
import { DISK } from '../crew.ts';
import { diskShortage } from '../disk.ts';
import { errorText } from '../error-text.ts';
import { createFaults, type Faults, lastingFault } from '../faults.ts';
import { createWake } from '../wake.ts';
import type { WorkDeps } from '../work-session.ts';
import type { Slots } from '../workers.ts';
import { type Bench, openBench } from './bench.ts';

/** What a worker tells whoever logs it. */
export interface WorkerReports {
  readonly onInfo: (text: string) => void;
  readonly onWarning: (text: string) => void;
}

export interface WorkerOptions extends WorkDeps {
  readonly workspace: string;
  readonly slots: Slots;
  readonly reports: WorkerReports;
}

/** A process that does the jobs of campaigns which others plan and settle. */
export interface Worker {
  /** When it was drained or interrupted. */
  readonly done: Promise<void>;
  /** Takes no more work; ends when what runs has ended. */
  drain(): void;
  /** Ends what runs, which goes back to its queue. */
  interrupt(): void;
}

/** Between two looks at what there is to do; jobs themselves are announced by the queue. */
const LOOK_MS = 2_000;

/** Serves every running campaign of the database until it is told to stop. */
export function startWorker(options: WorkerOptions): Worker {
  const { store, presence, workspace, slots, reports } = options;
  const { onInfo, onWarning } = reports;
  const benches = new Map<string, Bench>();
  /** Campaigns that could not be opened are tried again later and later. */
  const shut = new Map<string, { readonly id: number; readonly faults: Faults }>();
  /** What the database wants worked on, and what the disk lacks for it. */
  let asked: readonly CampaignRow[] = [];
  let shortage: string | null = null;
  const alarm = createWake();
  const stop = new AbortController();
  let draining = false;
  let interrupted = new AbortController();

  const open = async (row: CampaignRow): Promise<void> => {
    const interrupt = AbortSignal.any([stop.signal, interrupted.signal]);
    try {
      benches.set(row.name, await openBench(options, row, { workspace, slots, interrupt, onWarning }));
      shut.delete(row.name);
      onInfo(`works on ${row.name}`);
    } catch (error) {
      if (interrupt.aborted) return;
      onWarning(`${row.name} cannot be worked on here: ${errorText(error)}`);
      const { faults } = shut.get(row.name) ?? { faults: createFaults() };
      shut.set(row.name, { id: row.id, faults });
      void faults.strike(error, stop.signal).then(() => opened.delete(row.name));
    }
  };
  /** Those that are open or being opened. */
  const opened = new Set<string>();

  const close = async (bench: Bench): Promise<void> => {
    await bench.end();
    benches.delete(bench.row.name);
    opened.delete(bench.row.name);
    onInfo(`works no more on ${bench.row.name}`);
    alarm.wake();
  };

  /** What this machine does not get over, by campaign id; a disk without room, which is waited out, by its own name. */
  const ailments = (): Record<string, string> => {
    const found = new Map<number | string, string | null>([[DISK, shortage]]);
    for (const { id, faults } of shut.values()) found.set(id, found.get(id) ?? lastingFault([faults]));
    for (const { row, fault } of benches.values()) found.set(row.id, found.get(row.id) ?? fault);
    return Object.fromEntries([...found].flatMap(([id, fault]) => (fault === null ? [] : [[id, fault]])));
  };

  /** One look at the database: what runs is open here, as it is now, and nothing else is. On a full disk nothing is. */
  const look = async (): Promise<void> => {
    asked = draining
      ? []
      : (await listCampaigns(store.db)).filter(({ state, lead }) => state === 'running' && lead > 0);
    const found = await diskShortage(workspaceFolders(workspace).state);
    if (found !== null && shortage === null) onWarning(found);
    shortage = found;
    const rows = shortage === null ? asked : [];
    const wanted = new Map(rows.map((row) => [row.name, row]));
    for (const bench of benches.values()) {
      const row = wanted.get(bench.row.name);
      if (row === undefined || changed(row, bench.row)) void close(bench);
    }
    for (const row of rows) {
      if (opened.has(row.name)) continue;
      opened.add(row.name);
      await open(row);
    }
  };

  const loop = async (): Promise<void> => {
    const outage = createFaults();
    for (;;) {
      try {
        if (presence.lost.aborted) await beginAnew();
        await look();
        presence.ail(ailments());
        outage.clear();
      } catch (error) {
        onWarning(`${errorText(error)}; trying again`);
        await outage.strike(error, stop.signal);
      }
      if (draining && benches.size === 0) return;
      await alarm.sleep(LOOK_MS);
    }
  };

  /** Others took this worker for dead: what it has is void, and it comes back as another one. */
  const beginAnew = async (): Promise<void> => {
    onWarning('the others took this worker for dead; it begins anew');
    interrupted.abort();
    await Promise.all([...benches.values()].map(close));
    interrupted = new AbortController();
    await presence.renew();
  };

  return {
    done: loop(),
    drain() {
      draining = true;
      // The others see that it goes; if they cannot be told, they see that it is gone.
      startDraining(store.db, presence.claimant.worker).catch(() => undefined);
      alarm.wake();
    },
    interrupt() {
      draining = true;
      stop.abort();
      alarm.wake();
    },
  };
}

/** Whether a campaign is another one than before in anything that work goes by. */
function changed(now: CampaignRow, before: CampaignRow): boolean {
  return now.id !== before.id || JSON.stringify(now.live) !== JSON.stringify(before.live);
}
