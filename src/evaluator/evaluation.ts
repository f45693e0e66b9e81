/** Kinds that an evaluator may report. */
export const REPORTED_KINDS = ['build', 'test', 'gate', 'scope', 'benchmark', 'other'] as const;

/** The last three only Clade gives. */
export type InvalidKind = (typeof REPORTED_KINDS)[number] | 'malformed' | 'crash' | 'timeout';

/** A candidate that was measured. Every number is finite; every declared objective is there and no other. */
export interface ValidEvaluation {
  readonly status: 'valid';
  /** As the evaluator wrote them, not oriented. */
  readonly objectives: Readonly<Record<string, number>>;
  /** [low, high] in the units of the objective, for some of the objectives. */
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  /** By objective: what the search goes by, the value or the worse end of the interval. */
  readonly scores: Readonly<Record<string, number>>;
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

/** Longest summary and evidence that are kept, in UTF-16 units. */
export const SUMMARY_LENGTH = 500;
export const EVIDENCE_LENGTH = 32_768;

/** One line of bounded, storable text. */
export function oneLine(text: string): string {
  return clip(text.replace(/\s+/g, ' ').trim(), SUMMARY_LENGTH);
}

/** Keeps the beginning and the end of a text that is too long: errors come last, what was tried comes first. */
export function clip(text: string, length: number): string {
  const plain = text.replaceAll('\0', '\uFFFD').toWellFormed();
  if (plain.length <= length) return plain;
  const half = Math.floor(length / 2);
  const middle = ` … ${plain.length - 2 * half} characters left out … `;
  return `${plain.slice(0, half)}${middle}${plain.slice(-half)}`.toWellFormed();
}

/** An invalid evaluation with its texts bounded. */
export function invalid(kind: InvalidKind, summary: string, evidence: string): InvalidEvaluation {
  return { status: 'invalid', kind, summary: oneLine(summary), evidence: clip(evidence, EVIDENCE_LENGTH) };
}
