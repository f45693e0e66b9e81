import { ConflictError, InfrastructureError } from '../../errors.ts';
import type { Stage, ValidEvaluation } from '../../evaluator/index.ts';
import { onOneCpu } from '../cpu.ts';
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

/** A measurement with what each step of the evaluator did. */
export interface Staged extends Measured {
  readonly stages: readonly Stage[];
}

/** A measurement of something that the evaluator accepts. */
export type Accepted = Staged & { readonly evaluation: ValidEvaluation };

/** A lane with a number of evaluations to spend. */
export interface Bench {
  readonly used: number;
  /** Whether so many more may be made. */
  affords(evaluations: number): boolean;
  /** @throws InterruptedError; InfrastructureError when the machine fails again and again */
  measure(commit: string, look?: Look): Promise<Staged>;
  /** @throws ConflictError when the evaluator refuses what it accepted before, `what`. */
  measureAgain(commit: string, what: string): Promise<Accepted>;
  /** What is measured in `work` is measured on one CPU. In between the CPUs are free for a running campaign. */
  beside<T>(work: () => Promise<T>): Promise<T>;
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
  /** The CPU that is held; otherwise each measurement leases its own. */
  let place: { readonly cpu?: number | null } = {};
  const attempt = async (commit: string, number = 1): Promise<Staged> => {
    const stages: Stage[] = [];
    const hooks = {
      onStage: async (stage: Stage) => {
        stages.push(stage);
        return null;
      },
    };
    const input = { commit, split: 'train', lane: LANE, ...place } as const;
    try {
      return { ...(await measure(workshop, input, signal, hooks)), stages };
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
    beside: (work) =>
      onOneCpu(workshop.campaign.evaluator.cpus, signal, async (cpu) => {
        place = { cpu };
        try {
          return await work();
        } finally {
          place = {};
        }
      }),
  };
  return bench;
}
