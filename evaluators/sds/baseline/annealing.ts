import type { Random } from '../random.ts';
import type { State } from '../state.ts';

const STEPS = 30_000;
const RESTARTS = 3;
/** Of the temperature, as shares of the mean absolute weight. */
const [HOT, COLD] = [2, 0.02];

/**
 * Simulated annealing with the acceptance of Metropolis and geometric cooling. A step picks an item: one that is out comes in with
 * its preconditions, one that is in goes out with its dependants, and half the time another one comes in for it. An item that is
 * missing to the least cardinality costs more than any move can gain. The number of steps is fixed and not the time, so the result
 * depends on the seed alone.
 *
 * @param state where each restart begins; is changed
 * @returns the best feasible choice, null when none was met
 */
export function annealing(state: State, random: Random): number[] | null {
  const { n, weights, pairs } = state.instance;
  const sizes = [...weights, ...pairs.map(([, , weight]) => weight)].map(Math.abs);
  const scale = sizes.reduce((sum, size) => sum + size, 1) / sizes.length;
  const penalty = sizes.reduce((sum, size) => sum + size, 1);
  const energy = (): number => state.value - penalty * state.missing;
  const start = state.items();

  let best: { energy: number; items: number[] } | null =
    state.missing === 0 ? { energy: state.value, items: start } : null;
  for (let restart = 0; restart < RESTARTS; restart += 1) {
    reset(state, start);
    for (let step = 0; step < STEPS; step += 1) {
      const temperature = scale * HOT * (COLD / HOT) ** (step / STEPS);
      const before = energy();
      const undo = move(state, random, n);
      if (undo === null) continue;
      const change = energy() - before;
      if (change < 0 && random.real() >= Math.exp(change / temperature)) undo();
      else if (state.missing === 0 && state.value > (best?.energy ?? -Infinity))
        best = { energy: state.value, items: state.items() };
    }
  }
  return best?.items ?? null;
}

/** Does a random move and says how to undo it; null when the move is not possible. */
function move(state: State, random: Random, n: number): (() => void) | null {
  const item = random.int(0, n - 1);
  if (!state.has(item)) {
    const into = state.withPreconditions(item);
    return state.addAll(into) ? () => takeOut(state, into.toReversed()) : null;
  }
  const out = state.withDependants(item);
  takeOut(state, out);
  const other = random.int(0, n - 1);
  const into = random.chance(0.5) && !state.has(other) && !out.includes(other) ? state.withPreconditions(other) : [];
  const exchanged = into.length > 0 && !into.some((needed) => out.includes(needed)) && state.addAll(into);
  return () => {
    if (exchanged) takeOut(state, into.toReversed());
    for (const removed of out.toReversed()) state.add(removed);
  };
}

function takeOut(state: State, items: readonly number[]): void {
  for (const item of items) state.remove(item);
}

function reset(state: State, items: readonly number[]): void {
  takeOut(state, state.items().reverse());
  state.addAll(items);
}
