/** Which data an evaluation ran on. */
export type Split = 'train' | 'validation' | 'holdout';

/** Kinds an evaluator may report, and the three that only Clade gives. */
export type InvalidKind =
  | 'build'
  | 'test'
  | 'gate'
  | 'scope'
  | 'benchmark'
  | 'other'
  | 'malformed'
  | 'crash'
  | 'timeout';

/** A candidate that was measured. Every number is finite; every declared objective is there and no other. */
export interface ValidEvaluation {
  readonly status: 'valid';
  /** As the evaluator wrote them, not oriented. */
  readonly objectives: Readonly<Record<string, number>>;
  /** [low, high] in the units of the objective, for some of the objectives. */
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  /** Equal identity means equal artefact (a hash of the built binary, say): nothing new to measure. */
  readonly identity: string | null;
  readonly metrics: Readonly<Record<string, number>>;
  readonly features: Readonly<Record<string, number>>;
  /** One line. */
  readonly summary: string;
  readonly evidence: string;
}

/** A candidate that is not acceptable. It has no numbers, so that it can never rank above a valid one. */
export interface InvalidEvaluation {
  readonly status: 'invalid';
  readonly kind: InvalidKind;
  readonly summary: string;
  readonly evidence: string;
}

export type Evaluation = ValidEvaluation | InvalidEvaluation;
