/** The rows of measurements: evaluations, their stages, trials and finals. See `tables.ts`. */

import type { ColumnType, Generated, Selectable } from 'kysely';
import type { MachineLoad } from '../process/index.ts';
import type { Made, OrNull, Stored, StoredOrNull } from './columns.ts';

export type Split = 'train' | 'validation' | 'holdout';
export type EvaluationState = 'pending' | 'running' | 'done';
export type Numbers = Readonly<Record<string, number>>;
export type Intervals = Readonly<Record<string, readonly [number, number]>>;

/** One row for every (campaign, tree, split): equal trees share the measurement. */
export interface EvaluationTable {
  campaignId: number;
  tree: string;
  split: Split;
  commit: string;
  /** The job that asked first. */
  ordinal: number;
  state: ColumnType<EvaluationState, EvaluationState | undefined, EvaluationState>;
  /** Raised by every claim: the fencing token. */
  attempt: Generated<number>;
  /** Who claimed it last. */
  worker: OrNull<string>;
  status: OrNull<'valid' | 'invalid'>;
  /** Of an invalid one: build, test, gate, scope, benchmark, other, malformed, crash, timeout. */
  kind: OrNull<string>;
  objectives: StoredOrNull<Numbers>;
  intervals: StoredOrNull<Intervals>;
  /** By objective: what the search goes by. */
  scores: StoredOrNull<Numbers>;
  metrics: StoredOrNull<Numbers>;
  features: StoredOrNull<Numbers>;
  identity: OrNull<string>;
  summary: OrNull<string>;
  evidence: OrNull<string>;
  stdoutTail: OrNull<string>;
  stderrTail: OrNull<string>;
  durationMs: OrNull<number>;
  isolation: OrNull<number>;
  /** What else the machine did meanwhile. */
  machine: StoredOrNull<MachineLoad>;
  /** The ordinal with the same identity, whose measurement this is. */
  sharedWith: OrNull<number>;
  queuedAt: Made;
  startedAt: OrNull<Date>;
  finishedAt: OrNull<Date>;
}

/** What one step of an evaluator did, written as soon as it ended. */
export interface StageTable {
  campaignId: number;
  tree: string;
  split: Split;
  /** Of the evaluation. */
  attempt: number;
  /** From 0. */
  position: number;
  name: string;
  kind: OrNull<string>;
  status: 'passed' | 'failed';
  summary: string;
  evidence: string;
  objectives: StoredOrNull<Numbers>;
  metrics: StoredOrNull<Numbers>;
  stdoutTail: string;
  stderrTail: string;
  durationMs: number;
  isolation: number;
  peakMemoryBytes: OrNull<number>;
  finishedAt: Made;
}

/** One fresh measurement of a trial. `invalid` is also one whose identity is not that of the first measurement. */
export type TrialMeasurement = {
  readonly ordinal: number;
  readonly summary: string;
  readonly identity: string | null;
  readonly durationMs: number;
  readonly isolation: number;
  /** `MachineLoad`: what else the machine did meanwhile. */
  readonly machine: MachineLoad;
} & (
  | {
      readonly status: 'valid';
      readonly objectives: Numbers;
      readonly intervals: Intervals;
      readonly scores: Numbers;
    }
  | { readonly status: 'invalid'; readonly kind: string }
);

/**
 * A fresh measurement of a candidate that would take the lead, where the campaign asks for one with the leader beside it. `running`
 * with measurements has been measured and waits for the settlement that decides it; `done` is decided and in force.
 */
export interface TrialTable {
  campaignId: number;
  /** From 0. */
  number: number;
  /** Ordinals. */
  challenger: number;
  incumbent: OrNull<number>;
  cause: 'lead' | 'jump';
  /** Jobs settled when it began, the root among them: what comes of it counts from that place on. */
  settled: number;
  state: ColumnType<EvaluationState, EvaluationState | undefined, EvaluationState>;
  /** Raised by every claim: the fencing token. */
  attempt: Generated<number>;
  /** Who claimed it last. */
  worker: OrNull<string>;
  outcome: OrNull<'confirmed' | 'refuted'>;
  /** In the order in which they were made. */
  measurements: StoredOrNull<readonly TrialMeasurement[]>;
  /** What the challenger ranks by from then on; null, once done, when it failed. */
  challengerScores: StoredOrNull<Numbers>;
  /** What the incumbent ranks by from then on; null when it keeps its score or there is none. */
  incumbentScores: StoredOrNull<Numbers>;
  startedAt: OrNull<Date>;
  finishedAt: OrNull<Date>;
}

/** A choice among the finalists. */
export interface FinalTable {
  campaignId: number;
  /** Settled jobs, the root not counted. */
  settled: number;
  /** Ordinals, the root with them, in the order of their scores on train. */
  finalists: Stored<readonly number[]>;
  winner: OrNull<number>;
  reason: OrNull<string>;
  /** Whether it ended the campaign; holdout is measured for such a winner alone. */
  closing: boolean;
  madeAt: Made;
}

export type EvaluationRow = Selectable<EvaluationTable>;
export type StageRow = Selectable<StageTable>;
export type TrialRow = Selectable<TrialTable>;
export type FinalRow = Selectable<FinalTable>;
