/** How many distinct resamples n values have: C(2n − 1, n). */
export function multisets(n: number): number {
  let count = 1;
  for (let k = 1; k <= n; k += 1) count = (count * (n - 1 + k)) / k;
  return Math.round(count);
}

/**
 * The means of all distinct resamples of as many values with replacement, sorted, each with its probability
 * n! / (n^n · Π k_i!), where value i was taken k_i times.
 *
 * @param values few: 7 have 1,716 resamples, 10 have 92,378
 */
export function multisetMeans(values: readonly number[]): (readonly [mean: number, probability: number])[] {
  const n = values.length;
  const factorials = [1];
  for (let k = 1; k <= n; k += 1) factorials.push((factorials[k - 1] ?? 1) * k);
  const all = (factorials[n] ?? 1) / n ** n;
  const means: (readonly [number, number])[] = [];
  const take = (index: number, left: number, sum: number, probability: number): void => {
    const value = values[index] ?? 0;
    const most = factorials.slice(0, left + 1);
    if (index === n - 1) {
      means.push([(sum + left * value) / n, probability / (factorials[left] ?? 1)]);
      return;
    }
    for (const [times, factorial] of most.entries()) {
      take(index + 1, left - times, sum + times * value, probability / factorial);
    }
  };
  take(0, n, 0, all);
  return means.sort(([a], [b]) => a - b);
}
