import { planBatch } from '../../../src/policy/index.ts';
import {
  fitProjection,
  generatorFor,
  type PopulationSettings,
  recipeKey,
  replay,
  restorePopulation,
  sampleRecipe,
} from '../../../src/qd/index.ts';
import type { Figure } from '../benchmark.ts';
import { bestOf, entries, LENGTH, SETTINGS, vectors } from './data.ts';

const DRAWS = 10_000;
const COOLDOWN = 64;
const INSPIRATIONS = { count: 2, radius: 1, maxRadius: 3, fallback: 8 };

/** Draws with a cooldown, from archives of histories of different length. */
export function measureSampling(): Figure[] {
  const pool = vectors(1024, LENGTH);
  const projection = fitProjection(pool.slice(0, 256), { dimensions: 3, clip: 3 });
  const rates = [1_000, 100_000].map((length) => {
    const { archive } = replay(SETTINGS, projection, entries(length, pool));
    const rng = generatorFor({ seed: 1, island: 0, ordinal: length, purpose: 'bench sampling' });
    const recent: string[] = [];
    const ms = bestOf(5, () => {
      for (let draw = 0; draw < DRAWS; draw++) {
        const usage = { bases: new Set<number>(), recipes: new Set(recent.slice(-COOLDOWN)) };
        const { base, inspirations } = sampleRecipe(archive, usage, INSPIRATIONS, rng);
        recent.push(recipeKey(base, inspirations));
      }
    });
    return (DRAWS / ms) * 1000;
  });
  const [short = 0, long = 0] = rates;
  return [
    { what: 'sample, history of 1,000', value: short, unit: '/s', least: 50_000 },
    { what: 'sample, history of 100,000', value: long, unit: '/s', least: 50_000 },
    { what: 'whole batches of 4 planned, jobs', value: planning(pool), unit: '/s' },
  ];
}

/** Jobs a second as the daemon plans them: with a generator seeded for each. */
function planning(pool: readonly Float32Array[]): number {
  const settings: PopulationSettings = {
    ...SETTINGS,
    warmup: 8,
    projection: { dimensions: 3, clip: 3, refit: 0, history: 4096 },
  };
  const population = restorePopulation(settings, entries(5_000, pool));
  const ms = bestOf(5, () => {
    for (let nextOrdinal = 0; nextOrdinal < DRAWS; nextOrdinal += 4) {
      const inspirations = { ...INSPIRATIONS, cooldown: COOLDOWN };
      planBatch({ seed: 1, island: 0, population, inspirations, nextOrdinal, count: 4, recentRecipes: [] });
    }
  });
  return (DRAWS / ms) * 1000;
}
