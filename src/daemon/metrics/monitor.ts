import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Store } from '../../store/index.ts';
import { errorText } from '../error-text.ts';
import type { Host } from '../host.ts';
import type { Presence } from '../presence.ts';
import { campaignMetrics } from './campaigns.ts';
import { databaseMetrics } from './database.ts';
import { type Metric, metricsText } from './text.ts';

/** Whether a process can take work, and if not why. */
export interface Readiness {
  readonly ready: boolean;
  readonly reasons: readonly string[];
}

/** What machines ask of a process that serves. */
export interface Monitor extends Disposable {
  /** In the text format of Prometheus. */
  metrics(): Promise<string>;
  readiness(): Promise<Readiness>;
}

/** A database that takes longer to say 1 cannot be worked with. */
const PATIENCE_MS = 3_000;
const TO_SECONDS = 1e9;

/** Watches over a process whose queue runs and that holds the lock of its workspace. */
export function createMonitor(
  { db }: Pick<Store, 'db'>,
  host: Pick<Host, 'api' | 'closing'>,
  presence: Pick<Presence, 'lost'>,
  patienceMs = PATIENCE_MS,
): Monitor {
  const delay = monitorEventLoopDelay();
  delay.enable();
  return {
    async metrics() {
      const own = processMetrics(delay.mean / TO_SECONDS, delay.max / TO_SECONDS);
      // The next scrape tells of the time since this one.
      delay.reset();
      return metricsText([...own, ...(await databaseMetrics(db)), ...campaignMetrics(await host.api.campaigns())]);
    },
    async readiness() {
      const reasons = [
        ...(host.closing ? ['it is ending'] : []),
        ...(presence.lost.aborted ? ['the others take it for dead: it was silent for too long'] : []),
        ...(await trouble(db, patienceMs)),
      ];
      return { ready: reasons.length === 0, reasons };
    },
    [Symbol.dispose]: () => void delay.disable(),
  };
}

async function trouble(db: Store['db'], patienceMs: number): Promise<string[]> {
  const late = new AbortController();
  const asked = sql`select 1`.execute(db).then(
    () => [],
    (error: unknown) => [errorText(error)],
  );
  // Aborted, the wait rejects after the race is over.
  const patience = wait(patienceMs, ['the database does not answer'], { signal: late.signal }).catch(() => []);
  const found = await Promise.race([asked, patience]);
  late.abort();
  return found;
}

function processMetrics(meanSeconds: number, maxSeconds: number): Metric[] {
  const gauge = (name: string, help: string, value: number): Metric => ({
    ...{ name, type: 'gauge', help, samples: Number.isFinite(value) ? [{ labels: {}, value }] : [] },
  });
  return [
    gauge('clade_event_loop_delay_mean_seconds', 'Mean delay of the event loop since the last scrape.', meanSeconds),
    gauge('clade_event_loop_delay_max_seconds', 'Longest delay of the event loop since the last scrape.', maxSeconds),
    gauge('clade_process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    gauge('clade_process_uptime_seconds', 'Age of this process.', process.uptime()),
  ];
}
