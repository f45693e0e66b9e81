import { recipeKey } from '../qd/index.ts';
import type { Decision } from './decision.ts';
import type { JobSpec, PolicyView } from './policy.ts';

export const ROOT = 0;

/** A job from a base alone. */
export function soloJob(view: PolicyView, ordinal: number, base: number, decision: Decision): JobSpec {
  return { ordinal, island: view.island, base, inspirations: [], recipe: recipeKey(base, []), decision };
}

export function versionOf({ population }: Pick<PolicyView, 'population'>): number {
  return population.history.length;
}
