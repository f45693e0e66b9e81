/** One measured number. `unit` × marks a ratio, which is what counts. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: '×' | 'ms' | 's' | '/s' | 'MiB' | '%' | 'jobs' | 'times';
  /** The figure should not be above this. */
  readonly aim?: number;
  /** The figure should not be below this. */
  readonly least?: number;
}

export interface Report {
  readonly figures: readonly Figure[];
  /** How the figures were made, a paragraph each. */
  readonly notes: readonly string[];
}

export interface Options {
  /** How much to do, in the benchmark's own terms. */
  readonly jobs?: number;
  /** Run one case through the whole program to see that it agrees. */
  readonly real?: boolean;
}

export interface Benchmark {
  readonly name: string;
  /** One line. */
  readonly about: string;
  run(options: Options): Promise<Report>;
}
