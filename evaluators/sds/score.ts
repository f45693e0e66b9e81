/** Scores of formulas §12, per instance. */

/** A VBS of zero must not divide. */
const TINY = 1e-10;

export type Hardness = 'trivial' | 'moderate' | 'hard';

/** How far a solver came on one instance. */
export interface Score {
  /** The virtual best solver's value: the best of the baselines and of the solver itself. */
  readonly vbs: number;
  /** (VBS − value) / |VBS|, at most 1: one answer that is worth nothing must not outweigh all others. */
  readonly gap: number;
}

/** @param known the best value of the baselines */
export function scoreOf(value: number, known: number): Score {
  const vbs = Math.max(value, known);
  return { vbs, gap: gapTo(vbs, value) };
}

/** @param value null: nothing feasible, a gap of 1 */
export function gapTo(vbs: number, value: number | null): number {
  return value === null ? 1 : Math.min(1, (vbs - value) / Math.max(Math.abs(vbs), TINY));
}

/** Below 0.01 trivial, below 0.1 moderate, else hard: by how much greedy misses the virtual best solver. */
export function hardnessOf(vbs: number, greedy: number | null): Hardness {
  const gap = gapTo(vbs, greedy);
  return gap < 0.01 ? 'trivial' : gap < 0.1 ? 'moderate' : 'hard';
}

/**
 * The feasibility-gated reward of one answer, from 0 to 1: 0.1 for an answer of the right form, 0.2 for a run to the end, 0.7 for
 * its value as a share of the virtual best solver's, which is 0 with any violation.
 *
 * @param gap null for an answer that violates a constraint
 */
export function rewardOf(format: boolean, exec: boolean, gap: number | null): number {
  return 0.1 * Number(format) + 0.2 * Number(exec) + 0.7 * (gap === null ? 0 : Math.max(0, 1 - gap));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
