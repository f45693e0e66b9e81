import { generatorFor, recipeKey, sampleRecipe } from '../qd/index.ts';
import type { Decision, JobSpec, Policy, PolicyView } from './policy.ts';

const NAME = 'quality-diversity';
const ROOT = 0;

/**
 * Bases and inspirations from the archive [Loreley, arXiv:2608.19703]; from the root alone until the first fit.
 * A batch sees one frozen archive: its jobs differ by their generators and by avoiding each other's choices.
 */
export const qualityDiversity: Policy = {
  planBatch(view) {
    const ordinals = Array.from({ length: view.count }, (_, index) => view.nextOrdinal + index);
    return view.population.archive === null
      ? ordinals.map((ordinal) => warmUp(view, ordinal))
      : sampled(view, ordinals);
  },
};

function warmUp({ island, population }: PolicyView, ordinal: number): JobSpec {
  const decision: Decision = {
    policy: NAME,
    reason: 'warmup',
    have: population.history.length,
    need: population.settings.warmup,
  };
  return { ordinal, island, base: ROOT, inspirations: [], recipe: recipeKey(ROOT, []), decision };
}

function sampled(view: PolicyView, ordinals: readonly number[]): JobSpec[] {
  const { seed, island, population, inspirations: settings, recentRecipes } = view;
  const { archive, epoch } = population;
  if (archive === null) return [];
  const bases = new Set<number>();
  const recipes = new Set(recentRecipes.slice(Math.max(0, recentRecipes.length - settings.cooldown)));
  return ordinals.map((ordinal) => {
    const rng = generatorFor({ seed, island, ordinal, purpose: 'recipe' });
    const { base, inspirations, ...how } = sampleRecipe(archive, { bases, recipes }, settings, rng);
    const recipe = recipeKey(base, inspirations);
    bases.add(base);
    recipes.add(recipe);
    return {
      ordinal,
      island,
      base,
      inspirations,
      recipe,
      decision: { policy: NAME, reason: 'archive', epoch, ...how },
    };
  });
}
