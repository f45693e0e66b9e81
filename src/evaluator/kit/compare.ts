import { quantile } from './student.ts';

/** How a candidate does against the root. A factor of 1 means equal, above 1 that the candidate is faster. */
export interface Comparison {
  /** How many rounds it is made of, before trimming. */
  readonly rounds: number;
  /** The trimmed mean of the log ratios (a natural logarithm). */
  readonly estimate: number;
  /** Of the estimate, so of a logarithm: 0.01 is about 1 %. */
  readonly standardError: number;
  /** The estimate as a factor. */
  readonly ratio: number;
  /** The 95 % interval, as factors. */
  readonly lower: number;
  readonly upper: number;
}

/**
 * The statistics of paired rounds. The estimate is the mean without the `trim` smallest and the `trim` largest log ratios; its
 * standard error comes from the winsorised variance (Tukey and McLaughlin 1963; Yuen 1974), because a variance of what is left
 * after trimming would be too small. The bounds are the 95 % interval by Student's t with n − 2·trim − 1 degrees of freedom.
 *
 * @param logRatios one a round: ln(root's duration / candidate's duration)
 * @param trim how many are left out at each end
 * @throws RangeError when fewer than two are left, or one is not a finite number
 */
export function compare(logRatios: readonly number[], trim = 3): Comparison {
  const n = logRatios.length;
  const kept = n - 2 * trim;
  if (!(Number.isInteger(trim) && trim >= 0)) throw new RangeError(`trim must be a whole number, not ${trim}`);
  if (kept < 2) throw new RangeError(`${n} rounds are too few to trim ${trim} at each end`);
  if (!logRatios.every(Number.isFinite)) throw new RangeError('a log ratio is not a finite number');

  const sorted = logRatios.toSorted((a, b) => a - b);
  const middle = sorted.slice(trim, n - trim);
  const [low = 0, high = 0] = [middle[0], middle.at(-1)];
  const estimate = mean(middle);
  const winsorised = sorted.map((value) => Math.min(Math.max(value, low), high));
  const centre = mean(winsorised);
  const squares = winsorised.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const standardError = Math.sqrt(squares / (kept * (kept - 1)));
  const margin = quantile(kept - 1) * standardError;
  return {
    rounds: n,
    estimate,
    standardError,
    ratio: Math.exp(estimate),
    lower: Math.exp(estimate - margin),
    upper: Math.exp(estimate + margin),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
