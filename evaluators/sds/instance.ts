/** One problem, as a solver gets it. Weights are whole numbers, so values are exact and do not depend on any order. */
export interface Instance {
  readonly name: string;
  readonly type: string;
  /** Items are 0 … n − 1. */
  readonly n: number;
  /** w_i, one an item. */
  readonly weights: readonly number[];
  /** [i, j, W_ij], i < j, every pair at most once. */
  readonly pairs: readonly (readonly [number, number, number])[];
  /** How many items are chosen, at least and at most. */
  readonly cardinality: readonly [number, number];
  /** [first, then]: `then` may be chosen only together with `first`. Without cycles, first < then. */
  readonly precedence: readonly (readonly [number, number])[];
  /** [i, j]: not both. */
  readonly exclusions: readonly (readonly [number, number])[];
  /** At most `limit` of `items`. */
  readonly groups: readonly { readonly items: readonly number[]; readonly limit: number }[];
}

/**
 * Σ w_i x_i + Σ W_ij x_i x_j (formulas §12).
 *
 * @param items distinct, each from 0 to n − 1
 */
export function worthOf(instance: Instance, items: Iterable<number>): number {
  const chosen = new Set(items);
  let value = 0;
  for (const item of chosen) value += instance.weights[item] ?? 0;
  for (const [i, j, weight] of instance.pairs) if (chosen.has(i) && chosen.has(j)) value += weight;
  return value;
}

/** What is wrong with a choice, in words; empty when it is feasible. */
export function violations(instance: Instance, items: readonly number[]): string[] {
  const chosen = new Set(items);
  const strange = [...chosen].filter((item) => !(Number.isInteger(item) && item >= 0 && item < instance.n));
  if (strange.length > 0) return [`no such items: ${strange.slice(0, 5).join(', ')}`];
  if (chosen.size < items.length) return ['an item is chosen twice'];

  const [least, most] = instance.cardinality;
  const found: string[] = [];
  if (chosen.size < least) found.push(`${chosen.size} items, at least ${least} are needed`);
  if (chosen.size > most) found.push(`${chosen.size} items, at most ${most} are allowed`);
  for (const [first, then] of instance.precedence) {
    if (chosen.has(then) && !chosen.has(first)) found.push(`item ${then} without its precondition ${first}`);
  }
  for (const [i, j] of instance.exclusions) {
    if (chosen.has(i) && chosen.has(j)) found.push(`items ${i} and ${j} exclude each other`);
  }
  for (const [index, { items: members, limit }] of instance.groups.entries()) {
    const inside = members.filter((item) => chosen.has(item)).length;
    if (inside > limit) found.push(`${inside} items of group ${index}, at most ${limit} are allowed`);
  }
  return found;
}
