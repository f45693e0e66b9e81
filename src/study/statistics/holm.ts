/**
 * Adjusts the p-values of a family of tests by Holm's step-down procedure (Holm 1979): the k-th smallest of m is multiplied by m − k + 1,
 * none is below a smaller one's, none above 1. In the order given.
 *
 * @throws RangeError when a p-value is not in [0, 1]
 */
export function holm(pValues: readonly number[]): number[] {
  for (const p of pValues) if (!(p >= 0 && p <= 1)) throw new RangeError(`a p-value is between 0 and 1, not ${p}`);
  const ranked = [...pValues.entries()].sort(([, a], [, b]) => a - b);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let least = 0;
  for (const [rank, [index, p]] of ranked.entries()) {
    least = Math.max(least, Math.min(1, p * (pValues.length - rank)));
    adjusted[index] = least;
  }
  return adjusted;
}
