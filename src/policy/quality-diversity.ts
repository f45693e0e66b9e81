import { generatorFor, type Recipe, recipeKey, sampleRecipe } from '../qd/index.ts';
import type { Migrant } from './decision.ts';
import type { JobSpec, Policy, PolicyView } from './policy.ts';
import { ROOT, soloJob, versionOf } from './solo.ts';

const NAME = 'quality-diversity';

/**
 * Bases and inspirations from the archive [Loreley, arXiv:2608.19703]; from the root alone until the first fit.
 * A batch sees one frozen archive: its jobs differ by their generators and by avoiding each other's choices. Jobs in flight
 * count as a batch with those that are planned beside them.
 */
export const qualityDiversity: Policy = {
  name: NAME,
  atOnce: Infinity,
  plan(view, ordinals) {
    const { population } = view;
    if (population.archive !== null) return sampled(view, ordinals);
    const { history, settings } = population;
    const progress = { reason: 'warmup', have: history.length, need: settings.warmup } as const;
    return ordinals.map((ordinal) =>
      soloJob(view, ordinal, ROOT, { policy: NAME, version: versionOf(view), ...progress }),
    );
  },
};

function sampled(view: PolicyView, ordinals: readonly number[]): JobSpec[] {
  const { seed, island, population, inspirations: settings, recentRecipes, inFlight = [] } = view;
  const { archive, epoch } = population;
  if (archive === null) return [];
  const bases = new Set(inFlight.map(({ base }) => base));
  const recent = recentRecipes.slice(Math.max(0, recentRecipes.length - settings.cooldown));
  const recipes = new Set([...recent, ...inFlight.map(({ recipe }) => recipe)]);
  return ordinals.map((ordinal) => {
    const rng = generatorFor({ seed, island, ordinal, purpose: 'recipe' });
    const drawn = sampleRecipe(archive, { bases, recipes }, settings, rng);
    const { base, inspirations, migrant } = withMigrant(view, ordinal, drawn);
    const { cell, resamples, baseReused, radius, fallback } = drawn;
    const recipe = recipeKey(base, inspirations);
    const recipeReused = recipes.has(recipe);
    bases.add(base);
    recipes.add(recipe);
    const how = {
      cell,
      resamples,
      baseReused,
      recipeReused,
      radius,
      fallback,
      ...(migrant === undefined ? {} : { migrant }),
    };
    return {
      ordinal,
      island,
      base,
      inspirations,
      recipe,
      decision: { policy: NAME, version: versionOf(view), reason: 'archive', epoch, ...how },
    };
  });
}

interface Migrated {
  readonly base: number;
  readonly inspirations: readonly number[];
  /** Undefined: none was due; null: there was none to take. */
  readonly migrant?: Migrant | null;
}

/** On a job that is due, the last inspiration gives way to an elite of another island; the base stays local. */
function withMigrant(
  { seed, island, inspirations: settings, migration }: PolicyView,
  ordinal: number,
  drawn: Recipe,
): Migrated {
  const { base, inspirations } = drawn;
  if (migration === undefined || settings.count === 0 || !migration.isDue(ordinal)) return { base, inspirations };
  const local = inspirations.slice(0, settings.count - 1);
  const known = new Set([ROOT, base, ...local]);
  const strangers = migration.elites.filter((elite) => !known.has(elite.ordinal));
  if (strangers.length === 0) return { base, inspirations, migrant: null };
  const migrant = generatorFor({ seed, island, ordinal, purpose: 'migrant' }).pick(strangers);
  return { base, inspirations: [...local, migrant.ordinal], migrant };
}
