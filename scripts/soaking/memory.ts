/** Resident memory of a process, after a collection, while a campaign went on. */
export interface Sample {
  readonly settled: number;
  readonly bytes: number;
}

/** Medians by quarter of the jobs, in bytes; null where nothing was sampled. Pure. */
export function byQuarter(samples: readonly Sample[], jobs: number): (number | null)[] {
  return [0, 1, 2, 3].map((quarter) => {
    const own = samples.filter(({ settled }) => Math.min(3, Math.floor((4 * settled) / jobs)) === quarter);
    return median(own.map(({ bytes }) => bytes));
  });
}

function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}
