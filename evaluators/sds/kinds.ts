import type { Instance } from './instance.ts';
import type { Random } from './random.ts';

/** All of an instance but its name; `wanted` is the cardinality, of which the least may turn out out of reach. */
export type Draft = Pick<Instance, 'weights' | 'pairs' | 'precedence' | 'exclusions' | 'groups'> & {
  readonly wanted: readonly [number, number];
};

interface Kind {
  readonly type: string;
  readonly draft: (random: Random, n: number) => Draft;
}

type Pair = [number, number];

/**
 * The ten types. They differ in the density and the sign of W, in which constraints they have and in what misleads a solver that
 * looks one step ahead. The published generator's types are not known to us; these are our own.
 */
export const KINDS: readonly Kind[] = [
  {
    // Items are worth something alone, few pairs matter: nearly a sorting problem.
    type: 'sparse-synergy',
    draft: (random, n) => ({
      ...unconstrained(weights(random, n, 1, 20), pairsWith(random, n, 0.08, 5, 40)),
      wanted: [0, share(n, 0.3)],
    }),
  },
  {
    // A heaviest subgraph of fixed size: no item is good by itself, all depends on the others.
    type: 'dense-synergy',
    draft: (random, n) => ({
      ...unconstrained(weights(random, n, 0, 4), pairsWith(random, n, 0.4, 1, 20)),
      wanted: [0, share(n, 0.2)],
    }),
  },
  {
    // Both signs, dense and nearly unbounded: an unconstrained quadratic problem with many local optima.
    type: 'mixed-sign',
    draft: (random, n) => ({
      ...unconstrained(weights(random, n, -10, 10), pairsWith(random, n, 0.5, -12, 12)),
      wanted: [share(n, 0.1), share(n, 0.7)],
    }),
  },
  {
    // Every item costs; only enough partners pay for it, so each first step looks like a loss.
    type: 'costly-items',
    draft: (random, n) => ({
      ...unconstrained(weights(random, n, -65, -25), pairsWith(random, n, 0.35, 5, 40)),
      wanted: [2, share(n, 0.4)],
    }),
  },
  {
    // Blocks that love their own and hate the others: the choice of the first block decides.
    type: 'clusters',
    draft: (random, n) => {
      const blockOf = Array.from({ length: n }, () => random.int(0, Math.max(1, Math.round(n / 8)) - 1));
      const pairs = everyPair(n).flatMap(([i, j]): [number, number, number][] => {
        const together = blockOf[i] === blockOf[j];
        if (!random.chance(together ? 0.8 : 0.35)) return [];
        return [[i, j, together ? random.int(5, 25) : -random.int(1, 15)]];
      });
      return { ...unconstrained(weights(random, n, -5, 15), pairs), wanted: [0, share(n, 0.35)] };
    },
  },
  {
    // Chains whose early items cost and whose ends pay for one another: the value is at the far end of several precedences.
    type: 'chains',
    draft: (random, n) => {
      const length = 4;
      const last = (item: number): boolean => item % length === length - 1;
      const pairs = everyPair(n).flatMap(([i, j]): [number, number, number][] => {
        const ends = last(i) && last(j);
        return random.chance(ends ? 0.6 : 0.1) ? [[i, j, ends ? random.int(10, 60) : random.int(1, 8)]] : [];
      });
      return {
        ...unconstrained(
          items(n).map((item) => (last(item) ? random.int(5, 30) : -random.int(1, 20))),
          pairs,
        ),
        precedence: items(n).flatMap((item): Pair[] => (item % length === 0 ? [] : [[item - 1, item]])),
        wanted: [0, share(n, 0.4)],
      };
    },
  },
  {
    // Trees of preconditions that several branches share: a closure problem with synergies.
    type: 'trees',
    draft: (random, n) => ({
      ...unconstrained(weights(random, n, -25, 20), pairsWith(random, n, 0.15, 0, 20)),
      precedence: items(n).flatMap((item): Pair[] =>
        item > 0 && random.chance(0.85) ? [[random.int(Math.max(0, item - 8), item - 1), item]] : [],
      ),
      wanted: [share(n, 0.1), share(n, 0.4)],
    }),
  },
  {
    // A graph of exclusions, of which the dearest items have most: an independent set with synergies.
    type: 'conflicts',
    draft: (random, n) => {
      const base = weights(random, n, 5, 25);
      const exclusions = everyPair(n).filter(([i, j]) => random.chance(0.005 * ((base[i] ?? 0) + (base[j] ?? 0))));
      return {
        ...unconstrained(base, pairsWith(random, n, 0.3, -5, 20)),
        exclusions,
        wanted: [0, share(n, 0.5)],
      };
    },
  },
  {
    // One of each group: an assignment, where each choice changes the worth of those in other groups.
    type: 'partitions',
    draft: (random, n) => {
      const count = Math.ceil(n / 4);
      return {
        ...unconstrained(weights(random, n, 0, 20), pairsWith(random, n, 0.5, -15, 20)),
        groups: Array.from({ length: count }, (_, group) => ({
          items: items(n).filter((item) => item % count === group),
          limit: 1,
        })),
        wanted: [share(count, 0.6), count],
      };
    },
  },
  {
    // All kinds of constraints at once, and a tight cardinality.
    type: 'everything',
    draft: (random, n) => ({
      ...unconstrained(weights(random, n, -15, 20), pairsWith(random, n, 0.3, -10, 20)),
      precedence: everyPair(n).filter(([i, j]) => j - i <= 6 && random.chance(0.08)),
      exclusions: everyPair(n).filter(() => random.chance(0.05)),
      groups: Array.from({ length: 4 }, () => ({
        items: random
          .shuffle(items(n))
          .slice(0, share(n, 0.3))
          .sort((a, b) => a - b),
        limit: share(n, 0.08) + 1,
      })),
      wanted: [share(n, 0.15), share(n, 0.3)],
    }),
  },
];

function unconstrained(
  weights: readonly number[],
  pairs: readonly (readonly [number, number, number])[],
): Omit<Draft, 'wanted'> {
  return { weights, pairs, precedence: [], exclusions: [], groups: [] };
}

function weights(random: Random, n: number, low: number, high: number): number[] {
  return items(n).map(() => random.int(low, high));
}

/** Pairs of weight zero say nothing and are left out. */
function pairsWith(random: Random, n: number, density: number, low: number, high: number): [number, number, number][] {
  return everyPair(n)
    .filter(() => random.chance(density))
    .map(([i, j]): [number, number, number] => [i, j, random.int(low, high)])
    .filter(([, , weight]) => weight !== 0);
}

function everyPair(n: number): Pair[] {
  return items(n).flatMap((i) => items(n - i - 1).map((k): Pair => [i, i + k + 1]));
}

function items(n: number): number[] {
  return [...Array(n).keys()];
}

function share(n: number, part: number): number {
  return Math.round(n * part);
}
