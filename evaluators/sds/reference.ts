import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { annealing } from './baseline/annealing.ts';
import { branchAndBound } from './baseline/branch-and-bound.ts';
import { greedy } from './baseline/greedy.ts';
import { localSearch } from './baseline/local-search.ts';
import type { Generated } from './generate.ts';
import { worthOf } from './instance.ts';
import { seeded } from './random.ts';
import { State } from './state.ts';

/** Nodes of one branch-and-bound search; some 0.3 s. */
const NODES = 40_000;

/** What the baselines reach on one instance; null: nothing feasible. */
export interface Reference {
  readonly greedy: number | null;
  readonly local: number | null;
  readonly annealing: number | null;
  readonly exact: number | null;
  /** Branch and bound searched its tree to the end: `exact` is the optimum. */
  readonly proven: boolean;
  /** Of the choice by which the instance is known to be feasible. */
  readonly witness: number;
}

/** The value of the best baseline; the witness is there for instances on which all of them fail. */
export function bestKnown({ greedy, local, annealing, exact, witness }: Reference): number {
  return Math.max(witness, ...[greedy, local, annealing, exact].map((value) => value ?? -Infinity));
}

/**
 * The baselines, each from where the one before it ended: local search from the greedy choice, annealing from there, branch and bound
 * with the best of them as what is to be beaten.
 */
export function solveReference({ instance, witness }: Generated): Reference {
  const feasible = (state: State): number | null => (state.missing === 0 ? state.value : null);
  const state = greedy(instance);
  const greedyValue = feasible(state);
  const fresh = (): State => {
    const copy = new State(instance);
    copy.addAll(state.missing === 0 ? state.items() : witness);
    return copy;
  };
  const local = localSearch(fresh());
  const annealed = annealing(localSearch(fresh()), seeded(instance.n * 31 + instance.pairs.length));
  const annealedValue = annealed === null ? null : worthOf(instance, annealed);
  const above = Math.max(local.value, annealedValue ?? -Infinity);
  const { items, proven } = branchAndBound(instance, above, NODES);
  return {
    greedy: greedyValue,
    local: local.value,
    annealing: annealedValue,
    exact: items === null ? (proven ? above : null) : worthOf(instance, items),
    proven,
    witness: worthOf(instance, witness),
  };
}

/** The baselines of all instances, kept in the cache: they take some 10 s and are the same for every candidate. */
export function references(generated: readonly Generated[], cache: string): Reference[] {
  const key = createHash('sha256').update(JSON.stringify(generated)).digest('hex').slice(0, 16);
  const file = join(cache, `sds-reference-${key}.json`);
  const known = readKnown(file);
  if (known !== null) return known;
  const solved = generated.map(solveReference);
  writeFileSync(`${file}.new`, JSON.stringify(solved));
  renameSync(`${file}.new`, file);
  return solved;
}

function readKnown(file: string): Reference[] | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // Not solved yet on this machine.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
