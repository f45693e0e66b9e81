/** When the jobs of one run were done. All in milliseconds. */
export interface Timeline {
  /** Index 0 is the start of the first job, index n the end of the n-th; any zero. */
  readonly settledMs: readonly number[];
  /** From the start of the process to its end. */
  readonly wholeMs: number;
  /** User and system time of the process and its descendants. */
  readonly cpuMs: number;
}

/** Mean time of a job among those after the `from`-th up to the `to`-th. */
export function perJob({ settledMs }: Timeline, from: number, to: number): number {
  const [start, end] = [settledMs[from], settledMs[to]];
  if (start === undefined || end === undefined) throw new RangeError(`only ${settledMs.length - 1} jobs were timed`);
  return (end - start) / (to - from);
}
