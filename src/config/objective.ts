/**
 * What the search goes by. A pure file: the core in `qd/` imports these types.
 *
 * `epsilon` is in the objective's own unit and is at least 0: differences below it are noise.
 */
export interface Criterion {
  readonly name: string;
  readonly direction: 'maximize' | 'minimize';
  readonly epsilon: number;
}

/** One number that the evaluator reports and the search optimises. */
export interface Objective extends Criterion {
  /** What the search goes by: the measured value, or the worse end of its interval. */
  readonly rankBy: 'value' | 'bound';
}
