import type { Instance } from './instance.ts';
import { type Draft, KINDS } from './kinds.ts';
import { seeded } from './random.ts';
import { State } from './state.ts';

/** Sizes take turns, so that every type has small instances, which can be solved to proven optimality, and large ones. */
const SIZES = [20, 36, 60] as const;

/** An instance and a choice that proves it feasible; solvers see the instance alone. */
export interface Generated {
  readonly instance: Instance;
  readonly witness: readonly number[];
}

/**
 * The instances of a split, type by type. Equal seeds give equal instances.
 *
 * @param perType of each of the ten types
 */
export function generate(seed: number, perType: number, split: string): Generated[] {
  return KINDS.flatMap(({ type, draft }, kind) =>
    Array.from({ length: perType }, (_, index) => {
      const random = seeded(Math.imul(seed, 0x9e3779b1) + kind * 7919 + index * 104729);
      const n = (SIZES[index % SIZES.length] ?? SIZES[0]) + random.int(0, 4);
      return finish(`${split}-${type}-${index}`, type, draft(random, n), random.shuffle([...Array(n).keys()]));
    }),
  );
}

/** A random feasible choice is built first and the least cardinality lowered to its size, so that there always is one. */
function finish(name: string, type: string, draft: Draft, order: readonly number[]): Generated {
  const { wanted, ...parts } = draft;
  const open: Instance = { name, type, n: order.length, ...parts, cardinality: [0, wanted[1]] };
  const state = new State(open);
  for (const item of order) {
    if (state.size >= wanted[0]) break;
    if (!state.has(item)) state.addAll(state.withPreconditions(item));
  }
  const least = Math.min(wanted[0], state.size);
  return { instance: { ...open, cardinality: [least, wanted[1]] }, witness: state.items() };
}
