import type { PolicyView } from '../../src/policy/index.ts';
import { type Entry, generatorFor, type PopulationSettings, restorePopulation } from '../../src/qd/index.ts';

export const SETTINGS: PopulationSettings = {
  objectives: [{ name: 'speed', direction: 'maximize', epsilon: 0 }],
  warmup: 6,
  projection: { dimensions: 2, clip: 3, refit: 8, history: 4096 },
  grid: { cells: 4 },
  front: { rule: 'box', capacity: 4 },
};

/** Entries of random points and vectors with ordinals 0, stride, 2·stride, …; those of another island differ. */
export function history(count: number, stride = 1, island = 0): Entry[] {
  const rng = generatorFor({ seed: 5, island, ordinal: 0, purpose: 'history' });
  return Array.from({ length: count }, (_, index) => ({
    ordinal: index === 0 ? 0 : (index - 1) * stride + island + 1,
    point: Float64Array.of(rng.unit()),
    vector: index === 0 ? new Float32Array(8) : Float32Array.from({ length: 8 }, () => rng.unit() - 0.5),
  }));
}

export function viewOf(settled: number, changes: Partial<PolicyView> = {}): PolicyView {
  return {
    seed: 20260821,
    island: 0,
    population: restorePopulation(SETTINGS, history(settled)),
    inspirations: { count: 2, radius: 1, maxRadius: 3, fallback: 8, cooldown: 64 },
    nextOrdinal: settled,
    count: 4,
    recentRecipes: [],
    ...changes,
  };
}
