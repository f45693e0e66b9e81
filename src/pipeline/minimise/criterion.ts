import type { Criterion } from '../../config/index.ts';

/** By objective. */
export type Scores = Readonly<Record<string, number>>;

/** What a part of a candidate is compared with. All scores are fresh. */
export interface Yardstick {
  /** The first is the primary one. */
  readonly objectives: readonly Criterion[];
  readonly root: Scores;
  /** Of the whole candidate. */
  readonly full: Scores;
  /** The share of the gain that may be lost, 0 … 1. */
  readonly tolerance: number;
}

/** How much better `to` is than `from` in one objective; positive is better. */
export function advantage({ name, direction }: Criterion, from: Scores, to: Scores): number {
  const difference = (to[name] ?? Number.NaN) - (from[name] ?? Number.NaN);
  return direction === 'maximize' ? difference : -difference;
}

/**
 * Whether a part keeps what the candidate is worth: of its gain over the root in the primary objective at least the share
 * 1 − tolerance, and no other objective worse than the candidate's by more than its ε.
 */
export function keepsGain({ objectives, root, full, tolerance }: Yardstick, part: Scores): boolean {
  const [primary, ...others] = objectives;
  if (primary === undefined) return false;
  const enough = advantage(primary, root, part) >= (1 - tolerance) * advantage(primary, root, full);
  return enough && others.every((other) => advantage(other, part, full) <= other.epsilon);
}

/** The mean of several measurements, by objective. */
export function meanOf(measurements: readonly Scores[]): Scores {
  const [first = {}] = measurements;
  const mean = (name: string): number =>
    measurements.reduce((sum, scores) => sum + (scores[name] ?? Number.NaN), 0) / measurements.length;
  return Object.fromEntries(Object.keys(first).map((name) => [name, mean(name)]));
}
