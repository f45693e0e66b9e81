import { principalComponents } from '../components.ts';
import { combine, unit } from '../linear.ts';
import { LEAST_SHARE, LEAST_VARIANCE } from '../projection.ts';

/**
 * The variances along all principal components of the vectors as projections see them (scaled to length 1, centred), the largest
 * first, rounding noise as 0. Decomposes fully: n·D·min(n, D) steps and min(n, D)³, so give it hundreds of vectors, not thousands.
 */
export function spectrum(vectors: readonly Float32Array[]): number[] {
  const rows = vectors.map(unit);
  const mean = combine(new Float64Array(rows.length).fill(1 / Math.max(1, rows.length)), rows);
  for (const row of rows) for (let j = 0; j < row.length; j++) row[j] = (row[j] ?? 0) - (mean[j] ?? 0);
  const variances = principalComponents(rows, Math.min(rows.length, mean.length)).map(({ variance }) => variance);
  const noise = Math.max(LEAST_SHARE * total(variances), LEAST_VARIANCE);
  return variances.map((x) => (x > noise ? x : 0));
}

/** Share of the total variance in the first `count` components; NaN without any variance. */
export function explainedVariance(variances: readonly number[], count: number): number {
  return total(variances.slice(0, count)) / total(variances);
}

/** (Σλ)² / Σλ²: how many components share the variance, were they equal; 1 … their number. NaN without any variance. */
export function participationRatio(variances: readonly number[]): number {
  return total(variances) ** 2 / total(variances.map((x) => x * x));
}

/** exp of the entropy of the shares of variance [Roy, Vetterli 2007]; 1 … the number of components. NaN without any variance. */
export function effectiveRank(variances: readonly number[]): number {
  const sum = total(variances);
  const shares = variances.map((x) => x / sum).filter((share) => !(share <= 0));
  return Math.exp(-total(shares.map((share) => share * Math.log(share))));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0);
}
