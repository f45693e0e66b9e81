/** One measured number. `unit` × marks a ratio, which is what counts. */
export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: '×' | 'ms' | 's' | '/s' | 'MiB' | '%';
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

export interface Benchmark {
  readonly name: string;
  /** One line. */
  readonly about: string;
  run(options: { readonly jobs?: number }): Promise<Report>;
}
