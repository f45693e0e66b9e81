import type { Campaign } from '../../../src/config/index.ts';
import { type IslandView, type JobSpec, type PolicyName, planIslands } from '../../../src/policy/index.ts';
import type { Population } from '../../../src/qd/index.ts';

/** The part of a job's plan that matters to what is made of it. */
export type Plan = Pick<JobSpec, 'ordinal' | 'base' | 'inspirations' | 'recipe'>;

export interface ArmView {
  readonly search: Campaign['search'];
  readonly population: Population;
  readonly nextOrdinal: number;
  readonly count: number;
  /** Recipes of all earlier jobs, oldest first. */
  readonly recipes: IslandView['recentRecipes'];
  /** The latest valid candidate after ordinal `since`, or null. */
  readonly latestSince: (since: number) => number | null;
}

/** A way to choose what the next jobs start from. */
export interface Arm {
  readonly name: string;
  plan(view: ArmView): readonly Plan[];
}

/** Jobs of one random walk. */
const WALK = 16;

const policies = ['quality-diversity', 'sequential-champion', 'independent-root'] as const satisfies PolicyName[];

/** Clade's own policies, planned as the daemon plans them. */
const policyArms = policies.map(
  (policy): Arm => ({
    name: policy,
    plan: ({ search, population, nextOrdinal, count, recipes }) =>
      planIslands(
        {
          seed: search.seed,
          inspirations: search.inspirations,
          nextOrdinal,
          count: Math.min(search.schedule.size, count),
          islands: [{ population, recentRecipes: recipes, inFlight: [] }],
          migrateEvery: 0,
        },
        policy,
      ),
  }),
);

/**
 * Pure random restarts: a walk of valid candidates, each the base of the next whatever it scores, begun again at the root after
 * some jobs. It can take neutral steps, as `independent-root` cannot, and selects nothing.
 */
const randomRestarts: Arm = {
  name: 'random restarts',
  plan({ nextOrdinal, latestSince }) {
    const begin = nextOrdinal - ((nextOrdinal - 1) % WALK);
    return [{ ordinal: nextOrdinal, base: latestSince(begin) ?? 0, inspirations: [], recipe: '' }];
  },
};

export const ARMS: readonly Arm[] = [...policyArms, randomRestarts];
