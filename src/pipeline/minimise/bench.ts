import { ConflictError, InfrastructureError } from '../../errors.ts';
import type { ValidEvaluation } from '../../evaluator/index.ts';
import { type Measured, measure } from '../measure.ts';
import type { Workshop } from '../workshop.ts';
import type { Look } from './search.ts';

/** Told before each evaluation. */
export interface MinimiseProgress {
  /** This one, from 1, and all that may be made. */
  readonly evaluation: number;
  readonly of: number;
  /** The part that is looked at; null when something is measured to compare with. */
  readonly look: Look | null;
}

/** A measurement of something that the evaluator accepts. */
export type Accepted = Measured & { readonly evaluation: ValidEvaluation };

/** A lane with a number of evaluations to spend. */
export interface Bench {
  readonly used: number;
  /** Whether so many more may be made. */
  affords(evaluations: number): boolean;
  /** @throws InterruptedError; InfrastructureError when the machine fails again and again */
  measure(commit: string, look?: Look): Promise<Measured>;
  /** @throws ConflictError when the evaluator refuses what it accepted before, `what`. */
  measureAgain(commit: string, what: string): Promise<Accepted>;
}

/** A lane of its own, so that a running campaign is not disturbed. */
const LANE = 'minimise';
/** A fault of the machine is no answer; so often an evaluation is tried. */
const MAX_ATTEMPTS = 3;

export function createBench(
  workshop: Workshop,
  evaluations: number,
  onProgress: (progress: MinimiseProgress) => void,
  signal: AbortSignal,
): Bench {
  let used = 0;
  const attempt = async (commit: string, number = 1): Promise<Measured> => {
    try {
      return await measure(workshop, { commit, split: 'train', lane: LANE }, signal);
    } catch (error) {
      if (!(error instanceof InfrastructureError) || number >= MAX_ATTEMPTS) throw error;
      return attempt(commit, number + 1);
    }
  };
  const bench: Bench = {
    get used() {
      return used;
    },
    affords: (more) => used + more <= evaluations,
    async measure(commit, look) {
      onProgress({ evaluation: used + 1, of: evaluations, look: look ?? null });
      const measured = await attempt(commit);
      used += 1;
      return measured;
    },
    async measureAgain(commit, what) {
      const measured = await bench.measure(commit);
      const { evaluation } = measured;
      if (evaluation.status === 'valid') return { ...measured, evaluation };
      throw new ConflictError(
        `the evaluator refuses ${what} when it is measured afresh (${evaluation.kind}): ${evaluation.summary}`,
        { hint: evaluation.evidence },
      );
    },
  };
  return bench;
}
