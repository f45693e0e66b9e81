import type { Instance } from '../instance.ts';
import { State } from '../state.ts';

export interface Exact {
  /** null when nothing better than `above` was found. */
  readonly items: readonly number[] | null;
  /** The tree was searched to its end: nothing is better than `items`, or than `above`. */
  readonly proven: boolean;
}

/**
 * Depth-first branch and bound, item by item. The bound of a node is the value so far and, for the most promising items that may
 * still be added, their gain with half of every positive pair among the undecided: each such pair is shared by its two items.
 *
 * Items are decided in the order of their numbers, in which preconditions come first.
 *
 * @param above only choices of a larger value are of interest
 * @param nodes the search ends after so many, without proof; a count and not a time, so the result is the same everywhere
 */
export function branchAndBound(instance: Instance, above: number, nodes: number): Exact {
  const state = new State(instance);
  const { n, cardinality } = instance;
  const half = Array.from({ length: n }, (_, item) =>
    state.neighbours(item).reduce((sum, { weight }) => sum + Math.max(0, weight) / 2, 0),
  );
  let best: { value: number; items: number[] | null } = { value: above, items: null };
  let left = nodes;

  const bound = (from: number): number => {
    const hopes: number[] = [];
    for (let item = from; item < n; item += 1) hopes.push(state.gain(item) + (half[item] ?? 0));
    hopes.sort((a, b) => b - a);
    let sum = state.value;
    for (const [rank, hope] of hopes.slice(0, cardinality[1] - state.size).entries()) {
      if (hope <= 0 && rank >= state.missing) break;
      sum += hope;
    }
    return sum;
  };
  const share = (item: number, sign: 1 | -1): void => {
    for (const { item: other, weight } of state.neighbours(item))
      half[other] = (half[other] ?? 0) + (sign * Math.max(0, weight)) / 2;
  };
  const visit = (item: number): void => {
    left -= 1;
    if (left < 0 || state.missing > n - item) return;
    if (state.missing === 0 && state.value > best.value) best = { value: state.value, items: state.items() };
    if (item === n || bound(item) <= best.value) return;
    share(item, -1);
    const takeFirst = state.gain(item) + (half[item] ?? 0) > 0;
    for (const take of [takeFirst, !takeFirst]) {
      if (!take) visit(item + 1);
      else if (state.canAdd(item)) {
        state.add(item);
        visit(item + 1);
        state.remove(item);
      }
    }
    share(item, 1);
  };
  visit(0);
  return { items: best.items, proven: left >= 0 };
}
