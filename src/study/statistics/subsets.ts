import { generatorFor } from '../../qd/index.ts';
import { mean } from './paired.ts';

/** The interval that belongs to the sign-flip test. */
export interface SubsetInterval {
  readonly lower: number;
  readonly upper: number;
  /** How often it covers the centre of a symmetric distribution; at least the level that was asked for. */
  readonly level: number;
}

const ENUMERATED_VALUES = 16;
const DRAWN = 1 << 16;

/**
 * The exact interval of the centre of a symmetric distribution: the values that the two-sided sign-flip test does not reject, which are
 * those between the k-th smallest and the k-th largest mean of the 2^n − 1 subsets of the values, k = ⌊(1 − level)/2 · 2^n⌋ (Hartigan 1969,
 * "Using subsample values as typical values"). Unlike a bootstrap it covers what it says with few values, too. Beyond 16 values 65,535
 * subsets are drawn, which are as typical.
 *
 * @returns null when there are too few values for that level: 95 % needs six
 */
export function subsetInterval(values: readonly number[], level = 0.95, seed = 0): SubsetInterval | null {
  const exact = values.length <= ENUMERATED_VALUES;
  const parts = exact ? 2 ** values.length : DRAWN;
  const k = Math.floor(((1 - level) / 2) * parts + 1e-9);
  if (k < 1) return null;
  const means = exact ? subsetMeans(values) : drawnMeans(values, seed);
  means.sort((a, b) => a - b);
  return { lower: means.at(k - 1) ?? Number.NaN, upper: means.at(-k) ?? Number.NaN, level: 1 - (2 * k) / parts };
}

function subsetMeans(values: readonly number[]): number[] {
  return Array.from({ length: 2 ** values.length - 1 }, (_, index) =>
    mean(values.filter((_, position) => ((index + 1) >> position) & 1)),
  );
}

function drawnMeans(values: readonly number[], seed: number): number[] {
  const rng = generatorFor({ seed, island: 0, ordinal: 0, purpose: 'subsets' });
  const means: number[] = [];
  while (means.length < DRAWN - 1) {
    const subset = values.filter(() => rng.below(2) === 1);
    if (subset.length > 0) means.push(mean(subset));
  }
  return means;
}
