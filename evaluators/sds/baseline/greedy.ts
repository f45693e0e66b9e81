import type { Instance } from '../instance.ts';
import { State } from '../state.ts';

/**
 * Adds, again and again, the item that gains most per item that comes with it (itself and the preconditions that it lacks), while
 * that is above zero, and on until the least cardinality is reached. It never takes anything back.
 */
export function greedy(instance: Instance): State {
  const state = new State(instance);
  for (;;) {
    const best = bestAddition(state);
    if (best === null || (best.rate <= 0 && state.missing === 0)) return state;
    state.addAll(best.items);
  }
}

function bestAddition(state: State): { items: number[]; rate: number } | null {
  let best: { items: number[]; rate: number } | null = null;
  for (let item = 0; item < state.instance.n; item += 1) {
    if (state.has(item)) continue;
    const items = state.withPreconditions(item);
    const before = state.value;
    if (!state.addAll(items)) continue;
    const rate = (state.value - before) / items.length;
    for (const added of items.toReversed()) state.remove(added);
    if (best === null || rate > best.rate) best = { items, rate };
  }
  return best;
}
