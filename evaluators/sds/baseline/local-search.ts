import type { State } from '../state.ts';

/**
 * Best improvement: of all additions (with preconditions), removals (with dependants) and exchanges of one for one it does the one
 * that raises the value most, until none does. Choices below the least cardinality are never made, so a start that is below it is
 * given back as it is.
 *
 * @param state is changed
 */
export function localSearch(state: State): State {
  if (state.missing > 0) return state;
  const { n } = state.instance;
  for (;;) {
    const before = state.value;
    let best: { value: number; out: number[]; into: number[] } = { value: before, out: [], into: [] };
    const consider = (out: number[], into: number[]): void => {
      if (state.missing === 0 && state.value > best.value) best = { value: state.value, out, into };
    };
    const additions = (out: number[]): void => {
      for (let item = 0; item < n; item += 1) {
        if (state.has(item) || out.includes(item)) continue;
        const into = state.withPreconditions(item);
        if (into.some((needed) => out.includes(needed)) || !state.addAll(into)) continue;
        consider(out, into);
        for (const added of into.toReversed()) state.remove(added);
      }
    };
    additions([]);
    for (const item of state.items()) {
      const out = state.withDependants(item);
      for (const removed of out) state.remove(removed);
      consider(out, []);
      additions(out);
      for (const removed of out.toReversed()) state.add(removed);
    }
    if (best.value === before) return state;
    for (const item of best.out) state.remove(item);
    state.addAll(best.into);
  }
}
