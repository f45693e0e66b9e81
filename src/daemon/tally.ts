import type { Criterion } from '../config/index.ts';
import { type Belief, type CoderOutcome, createBelief, learn } from '../policy/index.ts';
import { CANCELLED, type JobRow, type Numbers, type Outcome } from '../store/index.ts';
import { advanceOf, beats } from './gain.ts';
import { type Change, isBetter } from './trials/index.ts';
import { usageOf } from './usage.ts';

/** A settled job as the tally reads it, in settlement order. */
export interface SettledJob {
  readonly ordinal: number;
  /** A minimised candidate may be the best, but no sum of jobs has it. */
  readonly kind: JobRow['kind'];
  readonly outcome: Outcome;
  readonly stage: string | null;
  readonly failureKind: string | null;
  readonly reason: string | null;
  readonly commit: string | null;
  readonly title: string | null;
  /** Null for the root. */
  readonly staleness: number | null;
  /** As first measured; only of outcome `candidate`. */
  readonly objectives: Numbers | null;
  /** What it was settled with; only of outcome `candidate`. */
  readonly scores: Numbers | null;
  /** Whether a trial gave the scores. */
  readonly tried: boolean;
  readonly baseOrdinal: number | null;
  /** The name of the coder that made it. */
  readonly coder: string | null;
  /** What its model calls used. */
  readonly usage: JobRow['usage'];
}

export interface Best {
  readonly ordinal: number;
  readonly commit: string;
  readonly title: string | null;
  /** As first measured. */
  readonly objectives: Numbers;
  /** What it ranks by now. */
  readonly scores: Numbers;
  /** Whether nothing was chosen by the measurements that gave the scores; see `Contender`. */
  readonly fresh: boolean;
}

/** Running sums over the settled jobs: what budgets, breakers and the status line need, without reading history again. */
export interface Tally {
  /** Jobs that a budget is charged for. */
  settled: number;
  readonly outcomes: Record<Outcome, number>;
  /** `stage/kind` of what failed or was refused → jobs. */
  readonly failures: Map<string, number>;
  /** Null until the root is settled, and when it was refused. */
  root: Best | null;
  /** Why the root was refused; without a valid root there is nothing to compare with. */
  rootRefusal: string | null;
  /** By the primary score; of equal ones the earliest, so that the root wins a draw. */
  best: Best | null;
  /** All that can be best, by ordinal, in the order of settlement: trials change scores. */
  readonly candidates: Map<number, Best>;
  /** How old the knowledge of the settled jobs was when they settled. */
  readonly staleness: { jobs: number; sum: number; max: number };
  /** Jobs settled since a better candidate was. */
  sinceBest: number;
  /** What is believed of the coders. */
  readonly belief: Belief;
  /** Jobs in a row that ended without a candidate to evaluate and for the same reason. */
  streak: Streak;
  /** Evaluations in a row that refused a candidate for the same kind of reason; jobs that were not measured do not count. */
  refused: Streak;
}

export interface Streak {
  readonly cause: string;
  readonly length: number;
  /** Jobs that were settled when it grew last. */
  readonly last: number;
}

const NO_STREAK: Streak = { cause: '', length: 0, last: 0 };

export function createTally(): Tally {
  return {
    settled: 0,
    outcomes: { candidate: 0, no_change: 0, duplicate: 0, failed: 0, invalid: 0 },
    failures: new Map(),
    root: null,
    rootRefusal: null,
    best: null,
    candidates: new Map(),
    staleness: { jobs: 0, sum: 0, max: 0 },
    sinceBest: 0,
    belief: createBelief(),
    streak: NO_STREAK,
    refused: NO_STREAK,
  };
}

/** Counts one more settled job; a tally changes by this and by `recount`. */
export function count(tally: Tally, job: SettledJob, primary: Criterion): void {
  const best = asBest(job);
  const isRoot = job.ordinal === 0;
  if (isRoot) {
    tally.root = best;
    if (best === null) tally.rootRefusal = `${job.failureKind ?? job.outcome}: ${job.reason ?? 'no reason given'}`;
  } else if (job.kind !== 'minimised') {
    tally.settled += 1;
    tally.outcomes[job.outcome] += 1;
    tally.sinceBest += 1;
    countFailure(tally, job);
    countStaleness(tally, job);
    if (job.kind === 'generate' && job.coder !== null && job.stage !== CANCELLED)
      learn(tally.belief, outcomeOf(tally, job, job.coder, primary));
  }
  if (best === null) return;
  tally.candidates.set(best.ordinal, best);
  if (tally.best === null || isBetter(best.scores, tally.best.scores, primary)) {
    tally.best = best;
    tally.sinceBest = 0;
  }
}

/**
 * Counts what a trial changed of settled candidates. It may change who is best; that is no new candidate, so `sinceBest` goes on.
 */
export function recount(tally: Tally, changes: readonly Change[], primary: Criterion): void {
  for (const { ordinal, scores } of changes) {
    const known = tally.candidates.get(ordinal);
    if (known === undefined) continue;
    // Setting a key that is there keeps its place in the order.
    if (scores === null) tally.candidates.delete(ordinal);
    else tally.candidates.set(ordinal, { ...known, scores, fresh: true });
    if (ordinal === 0 && scores !== null) tally.root = { ...known, scores, fresh: true };
  }
  if (changes.length > 0) tally.best = bestOf(tally, primary);
}

/** The best of the candidates, or of those whose scores are fresh. */
export function bestOf({ candidates }: Tally, primary: Criterion, which: 'all' | 'fresh' = 'all'): Best | null {
  let best: Best | null = null;
  for (const candidate of candidates.values()) {
    if (which === 'fresh' && !candidate.fresh) continue;
    if (best === null || isBetter(candidate.scores, best.scores, primary)) best = candidate;
  }
  return best;
}

function countStaleness({ staleness }: Tally, job: SettledJob): void {
  if (job.staleness === null) return;
  staleness.jobs += 1;
  staleness.sum += job.staleness;
  staleness.max = Math.max(staleness.max, job.staleness);
}

function countFailure(tally: Tally, job: SettledJob): void {
  // What a person did says nothing of how the search goes.
  if (job.stage === CANCELLED) return;
  const wasted = job.outcome === 'failed' || job.outcome === 'no_change';
  const cause = `${job.stage ?? job.outcome}/${job.failureKind ?? job.outcome}`;
  if (job.outcome === 'failed' || job.outcome === 'invalid') {
    tally.failures.set(cause, (tally.failures.get(cause) ?? 0) + 1);
  }
  tally.streak = wasted ? longer(tally.streak, cause, tally.settled) : NO_STREAK;
  if (job.outcome === 'invalid') tally.refused = longer(tally.refused, cause, tally.settled);
  else if (job.outcome === 'candidate') tally.refused = NO_STREAK;
}

function longer(streak: Streak, cause: string, settled: number): Streak {
  return { cause, length: streak.cause === cause ? streak.length + 1 : 1, last: settled };
}

/** A base that a trial refused since has no score to compare with. What is within ε is noise: it would pay for every
 * second change that does nothing. */
function outcomeOf({ candidates }: Tally, job: SettledJob, coder: string, primary: Criterion): CoderOutcome {
  const from = candidates.get(job.baseOrdinal ?? 0)?.scores;
  const usage = usageOf(job) ?? { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  return {
    coder,
    improvement: beats(job.scores, from, primary) ? (advanceOf(from, job.scores, primary) ?? 0) : 0,
    costUsd: usage.costUsd,
    tokens: usage.inputTokens + usage.outputTokens,
  };
}

/** Whether nothing was chosen by the first measurement: the root's; and that of a minimised candidate was made to confirm it. */
export function startsFresh(kind: JobRow['kind']): boolean {
  return kind === 'root' || kind === 'minimised';
}

function asBest({ outcome, ordinal, kind, commit, title, objectives, scores, tried }: SettledJob): Best | null {
  if (outcome !== 'candidate' || commit === null || objectives === null || scores === null) return null;
  return { ordinal, commit, title, objectives, scores, fresh: tried || startsFresh(kind) };
}
