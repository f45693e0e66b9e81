import type { PGlite } from '@electric-sql/pglite';
import type { Transaction } from 'kysely';
import { type ConstructorOptions, fromKysely, fromPglite, PgBoss } from 'pg-boss';
import type { EvaluationKey } from './evaluations.ts';
import type { Tables } from './tables.ts';
import type { TrialKey } from './trials.ts';

/** The queues of a campaign and what travels in them: keys only, the rows are the truth. */
export interface QueuePayloads {
  generate: { readonly campaignId: number; readonly ordinal: number };
  /** A first measurement, or those of a trial: they share the lanes. */
  evaluate: EvaluationKey | TrialKey;
}
export type QueueKind = keyof QueuePayloads;

/** What pg-boss has to say outside any call: a lost connection, a slow query. */
export interface QueueReports {
  readonly onError: (error: Error) => void;
  readonly onWarning: (warning: { readonly message: string; readonly data: object }) => void;
}

export interface Lane {
  /** Takes no more work and resolves when the handlers that run have ended. */
  stop(): Promise<void>;
}

export interface Queue {
  /** Makes the queues of a campaign; to be called before anything else about it. */
  prepare(campaignId: number): Promise<void>;
  /** Enqueues in the caller's transaction, in order: rows and entries exist together or not at all. */
  enqueue<K extends QueueKind>(
    trx: Transaction<Tables>,
    kind: K,
    campaignId: number,
    payloads: readonly QueuePayloads[K][],
  ): Promise<void>;
  /**
   * Starts `concurrency` workers. The signal ends when the queue gives the entry up (expiry, shutdown). A handler that throws is
   * reported to `onError` and its entry is not tried again: the row says what becomes of it.
   */
  work<K extends QueueKind>(
    kind: K,
    campaignId: number,
    options: { readonly concurrency: number },
    handler: (payload: QueuePayloads[K], signal: AbortSignal) => Promise<void>,
  ): Promise<Lane>;
  /** Forgets the entries that wait, embedded all: recovery enqueues anew from the rows. */
  clear(campaignId: number): Promise<void>;
  /** Takes no more work, waits for running handlers at most `timeoutMs`, then aborts their signals. */
  stop(timeoutMs?: number): Promise<void>;
}

/** How pg-boss reaches the database: the embedded one, or a small pool of its own. */
export type QueueConnection =
  | { readonly kind: 'pglite'; readonly pglite: PGlite }
  | { readonly kind: 'postgres'; readonly url: string };

/**
 * Our rows say who works on what, and a stopped daemon recovers from them. So pg-boss never tries again by itself, and gives an
 * entry up late: its default of 15 minutes would end a long evaluation and hand it out a second time.
 */
const QUEUE = {
  notify: true,
  retryLimit: 0,
  expireInSeconds: 24 * 60 * 60,
  retentionSeconds: 365 * 24 * 60 * 60,
  deleteAfterSeconds: 60 * 60,
} as const;

/** Starts pg-boss on a database, creating its schema the first time. */
export async function openQueue(connection: QueueConnection, reports: QueueReports): Promise<Queue> {
  const boss = new PgBoss({ ...settingsFor(connection), schedule: false, useListenNotify: true });
  boss.on('error', reports.onError);
  boss.on('warning', reports.onWarning);
  await boss.start();
  // A worker elsewhere can vanish without a trace, one in this process cannot: heartbeats cost writes.
  const options = connection.kind === 'postgres' ? { ...QUEUE, heartbeatSeconds: 60 } : QUEUE;
  return {
    async prepare(campaignId) {
      for (const kind of KINDS) await boss.createQueue(queueName(kind, campaignId), options);
    },
    async enqueue(trx, kind, campaignId, payloads) {
      if (payloads.length === 0) return;
      // The plugins would rename the columns that pg-boss reads.
      const db = fromKysely(trx.withoutPlugins());
      await boss.insert(
        queueName(kind, campaignId),
        payloads.map((data) => ({ data })),
        { db },
      );
    },
    async work(kind, campaignId, { concurrency }, handler) {
      const name = queueName(kind, campaignId);
      const workers = await Promise.all(
        Array.from({ length: concurrency }, () => startWorker(boss, name, handler, reports)),
      );
      return {
        async stop() {
          await Promise.all(workers.map((id) => boss.offWork(name, { id, wait: true })));
        },
      };
    },
    async clear(campaignId) {
      for (const kind of KINDS) {
        const name = queueName(kind, campaignId);
        // Workers elsewhere may be at work on theirs.
        if (connection.kind === 'postgres') await boss.deleteQueuedJobs(name);
        else await boss.deleteAllJobs(name);
      }
    },
    async stop(timeoutMs = 10_000) {
      await boss.stop({ graceful: true, timeout: timeoutMs });
    },
  };
}

const KINDS = ['generate', 'evaluate'] as const;

function queueName(kind: QueueKind, campaignId: number): string {
  return `${kind}_${campaignId}`;
}

function settingsFor(connection: QueueConnection): ConstructorOptions {
  const quiet = { registerInstance: false, openTelemetry: { enabled: false } };
  if (connection.kind === 'postgres') {
    return { ...quiet, connectionString: connection.url, max: 4, application_name: 'clade queue' };
  }
  // The embedded database serves one connection: every check of pg-boss makes a job wait.
  return {
    ...quiet,
    db: fromPglite(connection.pglite),
    backend: 'pglite',
    reindex: false,
    monitorVacuum: false,
    superviseIntervalSeconds: 600,
    monitorIntervalSeconds: 600,
    queueCacheIntervalSeconds: 600,
  };
}

/**
 * One worker for one entry at a time. It is woken after each entry, because pg-boss sleeps after a batch of one, although there may
 * be more: one NOTIFY announced them all.
 */
async function startWorker<T>(
  boss: PgBoss,
  name: string,
  handler: (payload: T, signal: AbortSignal) => Promise<void>,
  reports: QueueReports,
): Promise<string> {
  const id = await boss.work<T>(name, { batchSize: 1, pollingIntervalSeconds: 2 }, async (entries) => {
    try {
      for (const entry of entries) await handler(entry.data, entry.signal);
    } catch (error) {
      reports.onError(error instanceof Error ? error : new Error(String(error)));
      throw error;
    } finally {
      boss.notifyWorker(id);
    }
  });
  return id;
}
