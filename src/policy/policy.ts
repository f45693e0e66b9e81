import type { Population, SamplerSettings } from '../qd/index.ts';

/** All that a policy may look at; it changes nothing. */
export interface PolicyView {
  readonly seed: number;
  readonly island: 0;
  readonly population: Readonly<Population>;
  readonly inspirations: SamplerSettings & { readonly cooldown: number };
  /** Ordinal of the first job to plan; the root is 0. */
  readonly nextOrdinal: number;
  /** Jobs to plan. */
  readonly count: number;
  /** `JobSpec.recipe` of the island's earlier jobs, oldest first; only the last `cooldown` matter. */
  readonly recentRecipes: readonly string[];
}

export interface JobSpec {
  readonly ordinal: number;
  readonly island: number;
  readonly base: number;
  readonly inspirations: readonly number[];
  /** `recipeKey` of base and inspirations. */
  readonly recipe: string;
  readonly decision: Decision;
}

/** Why a job got its base and inspirations; plain JSON, kept with the job. */
export type Decision =
  | { readonly policy: string; readonly reason: 'warmup'; readonly have: number; readonly need: number }
  | {
      readonly policy: string;
      readonly reason: 'archive';
      readonly epoch: number;
      readonly cell: number;
      readonly resamples: number;
      readonly baseReused: boolean;
      readonly recipeReused: boolean;
      readonly radius: number;
      readonly fallback: number;
    };

export interface Policy {
  planBatch(view: PolicyView): JobSpec[];
}
