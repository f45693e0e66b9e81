import { type ArchiveSettings, type Entry, generatorFor } from '../../../src/qd/index.ts';

export const LENGTH = 512;

export const SETTINGS: ArchiveSettings = {
  objectives: ['a', 'b', 'c'].map((name) => ({ name, direction: 'maximize', epsilon: 0.003 })),
  grid: { cells: 4 },
  front: { rule: 'box', capacity: 8 },
};

/** Vectors without structure: the hardest for a fit, since no component stands out. */
export function vectors(count: number, length: number): Float32Array[] {
  const rng = generatorFor({ seed: 1, island: 0, ordinal: count, purpose: 'bench vectors' });
  return Array.from({ length: count }, () => Float32Array.from({ length }, () => rng.unit() - 0.5));
}

/** A history whose objectives get slowly better, over a pool of distinct vectors. */
export function entries(count: number, pool: readonly Float32Array[]): Entry[] {
  const rng = generatorFor({ seed: 1, island: 0, ordinal: count, purpose: 'bench entries' });
  return Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    point: Float64Array.from({ length: 3 }, () => 1 + (0.02 * ordinal) / count + 0.1 * rng.unit()),
    vector: pool[ordinal % pool.length] ?? new Float32Array(LENGTH),
  }));
}

/** The shortest of some rounds, in ms: what the machine can do when nobody disturbs it. */
export function bestOf(rounds: number, work: () => void): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}
