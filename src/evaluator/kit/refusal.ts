/** Kinds of an invalid evaluation that an evaluator may give. */
export type InvalidKind = 'build' | 'test' | 'gate' | 'scope' | 'benchmark' | 'other';

/** The candidate is not acceptable: an invalid evaluation. */
export class Refusal extends Error {
  readonly kind: InvalidKind;
  /** Text that the next agent may read. */
  readonly evidence: string;

  constructor(kind: InvalidKind, summary: string, evidence = '', cause?: unknown) {
    super(summary, { cause });
    this.name = 'Refusal';
    this.kind = kind;
    this.evidence = evidence;
  }
}

/** The machine, or the evaluator itself, is at fault and not the candidate: the measurement is tried again (exit 75). */
export class MachineFault extends Error {
  override name = 'MachineFault';
}

/** A program is not there or cannot be executed. */
export class StartError extends MachineFault {
  override name = 'StartError';
}

/**
 * Ends the evaluation: the candidate is not acceptable.
 *
 * @throws Refusal always
 */
export function invalid(kind: InvalidKind, summary: string, evidence = ''): never {
  throw new Refusal(kind, summary, evidence);
}

/**
 * Ends the evaluation without a verdict: the machine is at fault.
 *
 * @throws MachineFault always
 */
export function infrastructure(message: string, cause?: unknown): never {
  throw new MachineFault(message, { cause });
}
