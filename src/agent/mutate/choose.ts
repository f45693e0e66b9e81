import type { Rng } from '../../qd/index.ts';

/** One of the items, each with a chance in proportion to its weight; undefined when there are none. */
export function chooseWeighted<T extends { readonly weight: number }>(items: readonly T[], rng: Rng): T | undefined {
  const total = items.reduce((sum, item) => sum + item.weight, 0);
  let rest = rng.unit() * total;
  for (const item of items) {
    rest -= item.weight;
    if (rest < 0) return item;
  }
  return items.at(-1);
}
