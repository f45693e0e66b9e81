/** The rows of the processes that work on campaigns, and of what they need from one another. See `tables.ts`. */

import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Made, OrNull, Stored } from './columns.ts';
import type { JsonText } from './json.ts';

export type WorkerState = 'active' | 'draining' | 'gone';
export type WorkerRole = 'generate' | 'evaluate';

/** A process that works on jobs: a daemon, `clade run` or `clade worker`. */
export interface WorkerTable {
  /** A UUID: a process that comes back is another worker. */
  id: string;
  host: string;
  /** What measures alike: measurements of one campaign stay on workers of one label. */
  label: string;
  /** Absolute folder on that host. */
  workspace: string;
  pid: number;
  version: string;
  roles: Stored<readonly WorkerRole[]>;
  /** `gone`: it said goodbye, or was not heard of for too long; its claims are void. */
  state: ColumnType<WorkerState, WorkerState | undefined, WorkerState>;
  /** The faults of its machine that it waits out, by the id of the campaign whose work meets them; empty while it is well. */
  faults: ColumnType<Readonly<Record<string, string>>, undefined, JsonText>;
  startedAt: Made;
  /** By the clock of the database. */
  heartbeatAt: Made;
}

/** A pinned evaluator for workers elsewhere, in pieces. */
export interface BundleTable {
  /** `Bundle.hash`. */
  hash: string;
  position: number;
  content: Uint8Array;
  madeAt: Made;
}

/** A job that a person wants to be tried again. */
export interface RetryTable {
  /** In the order in which they were asked for. */
  id: Generated<number>;
  campaignId: number;
  /** The job that ended without a candidate that counts. */
  ofOrdinal: number;
  /** The job that tries it again; null while it waits for the next planning. */
  ordinal: OrNull<number>;
  askedAt: Made;
}

/** Somebody who is told what happens in a campaign. Not part of an export: there the ids of events are others. */
export interface ReceiverTable {
  campaignId: number;
  /** `receiverKey`. */
  receiver: string;
  /** The last event that was told, or given up. */
  eventId: number;
}

export type WorkerRow = Selectable<WorkerTable>;
