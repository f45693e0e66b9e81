import type { IsolationLevel } from '../process/index.ts';
import type { ValidEvaluation } from './evaluation.ts';

/** What one step of an evaluator did. Its texts are bounded and free of the secrets that the evaluator was given. */
export interface Stage {
  /** From 0. */
  readonly position: number;
  readonly name: string;
  /** Of a passed one the kind of its step, of a failed one that of the failure; null for a passed `evaluator.command`. */
  readonly kind: string | null;
  readonly status: 'passed' | 'failed';
  readonly summary: string;
  readonly evidence: string;
  /** What it reported itself, without what earlier ones did. */
  readonly objectives: Readonly<Record<string, number>>;
  readonly metrics: Readonly<Record<string, number>>;
  readonly identity: string | null;
  /** The ends of its output. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
  readonly isolation: IsolationLevel;
  readonly peakMemoryBytes: number | null;
}

/** Who is told of an evaluation while it runs. */
export interface EvaluationHooks {
  /**
   * Awaited after every step, so that its record is kept whatever becomes of the next one; what it throws ends the
   * evaluation. `shared`: the identity that the step reported was measured before, and this is that measurement; then the
   * remaining steps are not run.
   */
  readonly onStage: (stage: Stage) => Promise<{ readonly shared: ValidEvaluation } | null>;
}

/** Nobody is told, nothing is shared. */
export const NO_HOOKS: EvaluationHooks = { onStage: async () => null };
