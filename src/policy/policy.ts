import type { Population, SamplerSettings } from '../qd/index.ts';
import type { Decision, Migrant } from './decision.ts';

/** All that a policy may look at; it changes nothing. */
export interface PolicyView {
  readonly seed: number;
  readonly island: number;
  readonly population: Readonly<Population>;
  readonly inspirations: SamplerSettings & { readonly cooldown: number };
  /** Ordinal of the first job to plan; the root is 0. */
  readonly nextOrdinal: number;
  /** From one job of this island to the next; 1 by default, with islands their number. */
  readonly stride?: number;
  /** Jobs to plan: a batch, or the slots that are free. */
  readonly count: number;
  /** `JobSpec.recipe` of the island's earlier jobs, oldest first; only the last `cooldown` matter. */
  readonly recentRecipes: readonly string[];
  /** Jobs of this island that are planned and not settled, when slots are filled one by one. None in a batch. */
  readonly inFlight?: readonly Pick<JobSpec, 'base' | 'recipe'>[];
  /** Elites of other islands, for the jobs that take one of them. */
  readonly migration?: { readonly isDue: (ordinal: number) => boolean; readonly elites: readonly Migrant[] };
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

export interface Policy {
  readonly name: string;
  /** Jobs that may be unsettled at a time; a serial policy needs the outcome of one for the next. */
  readonly atOnce: number;
  /** The jobs of the given ordinals, as if all planned at once. */
  plan(view: PolicyView, ordinals: readonly number[]): JobSpec[];
}
