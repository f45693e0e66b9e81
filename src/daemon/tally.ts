import type { Criterion } from '../config/index.ts';
import type { Numbers, Outcome } from '../store/index.ts';

/** A settled job as the tally reads it, in settlement order. */
export interface SettledJob {
  readonly ordinal: number;
  readonly outcome: Outcome;
  readonly stage: string | null;
  readonly failureKind: string | null;
  readonly reason: string | null;
  readonly commit: string | null;
  readonly title: string | null;
  /** Null for the root. */
  readonly staleness: number | null;
  /** Only of outcome `candidate`. */
  readonly objectives: Numbers | null;
}

export interface Best {
  readonly ordinal: number;
  readonly commit: string;
  readonly title: string | null;
  readonly objectives: Numbers;
}

/** Running sums over the settled jobs: what budgets, breakers and the status line need, without reading history again. */
export interface Tally {
  /** Jobs, the root not counted. */
  settled: number;
  readonly outcomes: Record<Outcome, number>;
  /** `stage/kind` of what failed or was refused → jobs. */
  readonly failures: Map<string, number>;
  /** Null until the root is settled, and when it was refused. */
  root: Best | null;
  /** Why the root was refused; without a valid root there is nothing to compare with. */
  rootRefusal: string | null;
  /** By the primary objective; of equal ones the earliest, so that the root wins a draw. */
  best: Best | null;
  /** How old the knowledge of the settled jobs was when they settled. */
  readonly staleness: { jobs: number; sum: number; max: number };
  /** Jobs settled since `best` changed. */
  sinceBest: number;
  /** Jobs in a row that ended without a candidate to evaluate and for the same reason. */
  streak: { readonly cause: string; readonly length: number };
}

export function createTally(): Tally {
  return {
    settled: 0,
    outcomes: { candidate: 0, no_change: 0, duplicate: 0, failed: 0, invalid: 0 },
    failures: new Map(),
    root: null,
    rootRefusal: null,
    best: null,
    staleness: { jobs: 0, sum: 0, max: 0 },
    sinceBest: 0,
    streak: { cause: '', length: 0 },
  };
}

/** Counts one more settled job; the only way a tally changes. */
export function count(tally: Tally, job: SettledJob, primary: Criterion): void {
  const best = asBest(job);
  const isRoot = job.ordinal === 0;
  if (isRoot) {
    tally.root = best;
    if (best === null) tally.rootRefusal = `${job.failureKind ?? job.outcome}: ${job.reason ?? 'no reason given'}`;
  } else {
    tally.settled += 1;
    tally.outcomes[job.outcome] += 1;
    tally.sinceBest += 1;
    countFailure(tally, job);
    countStaleness(tally, job);
  }
  if (best !== null && (tally.best === null || better(best, tally.best, primary))) {
    tally.best = best;
    tally.sinceBest = 0;
  }
}

function countStaleness({ staleness }: Tally, job: SettledJob): void {
  if (job.staleness === null) return;
  staleness.jobs += 1;
  staleness.sum += job.staleness;
  staleness.max = Math.max(staleness.max, job.staleness);
}

function countFailure(tally: Tally, job: SettledJob): void {
  const wasted = job.outcome === 'failed' || job.outcome === 'no_change';
  const cause = `${job.stage ?? job.outcome}/${job.failureKind ?? job.outcome}`;
  if (job.outcome === 'failed' || job.outcome === 'invalid') {
    tally.failures.set(cause, (tally.failures.get(cause) ?? 0) + 1);
  }
  if (!wasted) tally.streak = { cause: '', length: 0 };
  else tally.streak = { cause, length: tally.streak.cause === cause ? tally.streak.length + 1 : 1 };
}

function asBest({ outcome, ordinal, commit, title, objectives }: SettledJob): Best | null {
  if (outcome !== 'candidate' || commit === null || objectives === null) return null;
  return { ordinal, commit, title, objectives };
}

function better(a: Best, b: Best, primary: Criterion): boolean {
  const [left, right] = [a.objectives[primary.name], b.objectives[primary.name]];
  if (left === undefined || right === undefined) return false;
  return primary.direction === 'maximize' ? left > right : left < right;
}
