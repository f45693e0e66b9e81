import type { Comparison } from './compare.ts';

/** The parts of a result that say what a comparison found; spread them into yours. */
export interface PairedResult {
  readonly objectives: Readonly<Record<string, number>>;
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  readonly metrics: Readonly<Record<string, number>>;
  /** `throughput +1.23 % (95 % interval +0.81 % to +1.64 %, 12 rounds)` */
  readonly summary: string;
}

/**
 * A comparison as an objective of the campaign, which declares `rank_by: bound`: the value is the ratio, the interval its bounds.
 *
 * The root is 1 by definition, with the interval [1, 1]: everything is measured against it, and were it ranked by its own lower
 * bound, which noise alone puts below 1, a candidate within noise would look better than the root. What was measured of it, its
 * noise, is in the metrics: `<name>_ratio`, `_lower`, `_upper`, `_standard_error` and `_rounds`, there for candidates too.
 *
 * @param isRoot whether the candidate is the root, or was built to the very same bytes
 */
export function pairedResult(name: string, comparison: Comparison, isRoot: boolean): PairedResult {
  const { ratio, lower, upper, standardError, rounds } = comparison;
  const measured = `${percent(ratio)} (95 % interval ${percent(lower)} to ${percent(upper)}, ${rounds} rounds)`;
  return {
    objectives: { [name]: isRoot ? 1 : ratio },
    intervals: { [name]: isRoot ? [1, 1] : [lower, upper] },
    metrics: {
      [`${name}_ratio`]: ratio,
      [`${name}_lower`]: lower,
      [`${name}_upper`]: upper,
      [`${name}_standard_error`]: standardError,
      [`${name}_rounds`]: rounds,
    },
    summary: isRoot ? `${name} is the root's; measured against itself ${measured}` : `${name} ${measured}`,
  };
}

function percent(factor: number): string {
  const value = (factor - 1) * 100;
  return `${value >= 0 ? '+' : ''}${value.toFixed(2)} %`;
}
