/**
 * One number that the evaluator reports and the search optimises. A pure file: the core in `qd/` imports this type.
 *
 * `epsilon` is in the objective's own unit and is at least 0: differences below it are noise.
 */
export interface Objective {
  readonly name: string;
  readonly direction: 'maximize' | 'minimize';
  readonly epsilon: number;
}
