/** The rows of model calls, of proposals that went back to their coder, and of what was learned. See `tables.ts`. */

import type { Generated, Selectable } from 'kysely';
import type { Made, OrNull, Stored } from './columns.ts';

/** One model call. */
export interface CallTable {
  id: Generated<number>;
  campaignId: number;
  /** The job; null for calls of the campaign itself. */
  ordinal: OrNull<number>;
  /** planner, coder, lessons, embedding. */
  role: string;
  /** The name of the coder. */
  coder: OrNull<string>;
  provider: string;
  wire: string;
  model: OrNull<string>;
  attempts: number;
  /** Of the answer; null when there was none. */
  status: OrNull<number>;
  inputTokens: OrNull<number>;
  cachedTokens: OrNull<number>;
  outputTokens: OrNull<number>;
  /** Null when the price or the usage is unknown. */
  costUsd: OrNull<number>;
  durationMs: number;
  failure: OrNull<string>;
  requestBytes: number;
  responseBytes: number;
  /** The file with request and answer, relative to the campaign's folder of recordings. */
  recording: OrNull<string>;
  startedAt: Date;
}

/** The account of a campaign's model calls. */
export interface SpendingTable {
  campaignId: number;
  /** US dollars of calls whose cost is known. */
  costUsd: Generated<number>;
  tokens: Generated<number>;
  /** Set aside for calls that are under way: what they may cost at most. */
  reservedUsd: Generated<number>;
  reservedTokens: Generated<number>;
  /** Whether a call did not fit. */
  refused: Generated<boolean>;
}

/** What is set aside for one call. */
export interface ReservationTable {
  id: Generated<number>;
  campaignId: number;
  worker: string;
  ordinal: OrNull<number>;
  role: string;
  provider: string;
  costUsd: number;
  tokens: number;
  madeAt: Made;
}

/** What a campaign has learned, rewritten every so many jobs. */
export interface LessonTable {
  campaignId: number;
  /** Jobs settled then. */
  settled: number;
  text: string;
  madeAt: Made;
}

/** A proposal of a job that went back to its coder; the one that counts is the job's candidate. */
export interface RevisionTable {
  campaignId: number;
  ordinal: number;
  /** From 0. */
  round: number;
  /** `rework`: it failed build or test. `novelty`: it was too near to a retained candidate. */
  cause: 'rework' | 'novelty';
  /** One line. */
  reason: string;
  /** What the coder is told besides. */
  evidence: string;
  commit: string;
  tree: string;
  title: string;
  summary: string;
  brief: OrNull<string>;
  transcript: OrNull<string>;
  madeAt: Made;
}

/** What an island retained when a batch was planned, which proposals of the batch are compared with. */
export interface RetainedTable {
  campaignId: number;
  island: number;
  /** The first ordinal of the batch. */
  batch: number;
  ordinals: Stored<readonly number[]>;
}

export type SpendingRow = Selectable<SpendingTable>;
export type RevisionRow = Selectable<RevisionTable>;
export type CallRow = Selectable<CallTable>;
export type LessonRow = Selectable<LessonTable>;
