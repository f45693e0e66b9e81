import cdf from '@stdlib/stats-base-dists-normal-cdf';
import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { generatorFor } from '../../qd/index.ts';
import { multisetMeans, multisets } from './multisets.ts';
import { leftOutMeans, mean } from './paired.ts';

/** A confidence interval of a mean. */
export interface BcaInterval {
  readonly lower: number;
  readonly upper: number;
  /** Whether all resamples were enumerated; else so many were drawn. */
  readonly resamples: 'all' | number;
}

export interface BcaOptions {
  /** Default 0.95. */
  readonly level?: number;
  /** How many resamples are drawn where there are too many to enumerate; default 20,000. */
  readonly resamples?: number;
  /** Distinct resamples that are enumerated at most instead; 0 always draws. Default 100,000, which ten values keep to. */
  readonly enumerate?: number;
  readonly seed?: number;
}

/** A distribution of means: sorted values with their probabilities. */
type Weighted = readonly (readonly [value: number, probability: number])[];

/**
 * The bias-corrected and accelerated bootstrap interval of a mean (Efron 1987): z0 from the share of resampled means below the observed
 * one plus half the share equal to it, the acceleration by the jackknife. With few values all distinct resamples are enumerated, each with
 * its multinomial probability, and nothing is left to chance.
 *
 * @param values at least two finite numbers
 * @throws RangeError when there are fewer, or one is not finite
 */
export function bcaInterval(values: readonly number[], options: BcaOptions = {}): BcaInterval {
  const { level = 0.95, resamples = 20_000, enumerate = 100_000, seed = 0 } = options;
  if (values.length < 2 || !values.every(Number.isFinite)) {
    throw new RangeError(`an interval needs two finite values or more, not [${values.join(', ')}]`);
  }
  const exact = multisets(values.length) <= enumerate;
  const means: Weighted = exact ? multisetMeans(values) : drawnMeans(values, resamples, seed);
  const observed = mean(values);
  const tolerance = 1e-12 * Math.max(...values.map(Math.abs));
  const share = (holds: (value: number) => boolean): number =>
    means.reduce((sum, [value, probability]) => (holds(value) ? sum + probability : sum), 0);
  const below = share((value) => value < observed - tolerance);
  const equal = share((value) => Math.abs(value - observed) <= tolerance);
  const z0 = quantile(below + equal / 2, 0, 1);
  const acceleration = accelerationOf(values);
  const bound = (tail: number): number => {
    const z = z0 + quantile(tail, 0, 1);
    return quantileOf(means, cdf(z0 + z / (1 - acceleration * z), 0, 1));
  };
  const tail = (1 - level) / 2;
  return { lower: bound(tail), upper: bound(1 - tail), resamples: exact ? 'all' : resamples };
}

/** By the jackknife: a sixth of the skewness of the influence of each value. None when all are equal. */
function accelerationOf(values: readonly number[]): number {
  const left = leftOutMeans(values);
  const centre = mean(left);
  const cubes = left.reduce((sum, value) => sum + (centre - value) ** 3, 0);
  const squares = left.reduce((sum, value) => sum + (centre - value) ** 2, 0);
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** The smallest value that at least this much of the distribution does not exceed. */
function quantileOf(means: Weighted, probability: number): number {
  let reached = 0;
  for (const [value, weight] of means) {
    reached += weight;
    // Sums of many small weights miss 1 by a little.
    if (reached >= probability - 1e-12) return value;
  }
  return means.at(-1)?.[0] ?? Number.NaN;
}

function drawnMeans(values: readonly number[], resamples: number, seed: number): Weighted {
  const rng = generatorFor({ seed, island: 0, ordinal: 0, purpose: 'bootstrap' });
  const draw = (): number => mean(values.map(() => rng.pick(values)));
  return Array.from({ length: resamples }, draw)
    .toSorted((a, b) => a - b)
    .map((value) => [value, 1 / resamples]);
}
