/**
 * Statistics of paired measurements: rounds of root and candidate alternate, each pair gives the logarithm of a ratio.
 *
 * The estimate is the mean of the log ratios without the three smallest and the three largest (Tukey's trimmed mean); its
 * standard error comes from the winsorised variance (Tukey and McLaughlin 1963; Yuen 1974), because a variance of what is
 * left after trimming would be too small. The bounds are the 95 % interval by Student's t.
 */

export const ROUNDS = 12;
export const MOST_ROUNDS = 16;
export const TRIM = 3;

/** 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom. */
const T_975 = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086,
];

/**
 * @typedef {{rounds: number, ratio: number, standardError: number, lower: number, upper: number}} Comparison
 *   `ratio` and its bounds as factors (1 = equal), `standardError` of the logarithm
 */

/**
 * @param {readonly number[]} logRatios one a round, log(candidate's throughput / root's)
 * @param {number} trim how many are left out at each end
 * @returns {Comparison}
 * @throws {RangeError} when fewer than two are left or one is not finite
 */
export function compare(logRatios, trim = TRIM) {
  const n = logRatios.length;
  const kept = n - 2 * trim;
  if (kept < 2) throw new RangeError(`${n} rounds are too few to trim ${trim} at each end`);
  if (!logRatios.every(Number.isFinite)) throw new RangeError('a log ratio is not a finite number');
  const quantile = T_975[kept - 2];
  if (quantile === undefined) throw new RangeError(`no quantile for ${kept - 1} degrees of freedom`);

  const sorted = [...logRatios].sort((a, b) => a - b);
  const estimate = mean(sorted.slice(trim, n - trim));
  const winsorised = sorted.map((_, i) => sorted[Math.min(Math.max(i, trim), n - trim - 1)]);
  const centre = mean(winsorised);
  const squares = winsorised.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  const standardError = Math.sqrt(squares / (kept * (kept - 1)));
  return {
    rounds: n,
    ratio: Math.exp(estimate),
    standardError,
    lower: Math.exp(estimate - quantile * standardError),
    upper: Math.exp(estimate + quantile * standardError),
  };
}

/**
 * The precision gate: measures twelve rounds, and up to sixteen while the standard error is above what was asked for.
 *
 * @param {(round: number) => Promise<number>} measure gives the log ratio of one round
 * @param {number} precision largest standard error of the logarithm that needs no more rounds
 * @returns {Promise<Comparison>}
 */
export async function measureRounds(measure, precision) {
  const logRatios = [];
  while (logRatios.length < ROUNDS) logRatios.push(await measure(logRatios.length));
  while (compare(logRatios).standardError > precision && logRatios.length < MOST_ROUNDS) {
    logRatios.push(await measure(logRatios.length));
  }
  return compare(logRatios);
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
