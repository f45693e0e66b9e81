import type { Rng } from '../../qd/index.ts';
import { chooseWeighted } from './choose.ts';
import type { Editable } from './files.ts';
import type { Context, Mutation, Operator } from './operator.ts';
import { OPERATORS } from './operators/index.ts';
import type { Source } from './source.ts';
import { applyEdits, disjoint, type Edit, lineAt } from './text.ts';

/** How often one edit is tried anew before the proposal goes without it. */
const TRIES_PER_EDIT = 10;

/** The operators that have a site in a file, ready to be drawn from. */
interface Prepared {
  readonly source: Source;
  readonly operators: readonly { readonly weight: number; readonly mutate: (rng: Rng) => Mutation | null }[];
}

/** A change to one file that has been planned. */
export interface PlannedEdit {
  readonly path: string;
  readonly line: number;
  readonly description: string;
}

/** A whole proposal, not yet written: the new texts by path, and what was done. */
export interface Plan {
  readonly texts: ReadonlyMap<string, string>;
  readonly edits: readonly PlannedEdit[];
}

/** Plans the proposals of one task; what an operator finds in a file is kept for the next attempt. */
export class Planner {
  readonly #files: readonly Editable[];
  readonly #context: Context;
  readonly #load: (path: string) => Promise<Source | null>;
  readonly #prepared = new Map<string, Prepared | null>();

  constructor(files: readonly Editable[], context: Context, load: (path: string) => Promise<Source | null>) {
    this.#files = files;
    this.#context = context;
    this.#load = load;
  }

  /** Up to `count` edits that do not overlap; null when they change nothing or break a file's syntax. */
  async plan(count: number, rng: Rng): Promise<Plan | null> {
    const chosen = new Map<Source, Mutation[]>();
    for (let edit = 0; edit < count; edit += 1) {
      for (let attempt = 0; attempt < TRIES_PER_EDIT; attempt += 1) {
        if (await this.#addMutation(chosen, rng)) break;
      }
    }
    return assemble(chosen);
  }

  async #addMutation(chosen: Map<Source, Mutation[]>, rng: Rng): Promise<boolean> {
    const file = chooseWeighted(this.#files, rng);
    const prepared = file === undefined ? null : await this.#prepare(file.path);
    if (prepared === null) return false;
    const mutation = chooseWeighted(prepared.operators, rng)?.mutate(rng);
    if (mutation === null || mutation === undefined) return false;
    const others = chosen.get(prepared.source) ?? [];
    if (overlaps(mutation, others)) return false;
    chosen.set(prepared.source, [...others, mutation]);
    return true;
  }

  async #prepare(path: string): Promise<Prepared | null> {
    const known = this.#prepared.get(path);
    if (known !== undefined) return known;
    const source = await this.#load(path);
    const prepared = source === null ? null : { source, operators: prepareOperators(OPERATORS, source, this.#context) };
    this.#prepared.set(path, prepared);
    return prepared;
  }
}

function prepareOperators(operators: readonly Operator[], source: Source, context: Context): Prepared['operators'] {
  return operators.flatMap((operator) => {
    const mutate = operator.prepare(source, context);
    return mutate === null ? [] : [{ weight: operator.weight, mutate }];
  });
}

function overlaps(mutation: Mutation, others: readonly Mutation[]): boolean {
  return others.some((other) => other.edits.some((a) => mutation.edits.some((b) => !disjoint(a, b))));
}

function assemble(chosen: ReadonlyMap<Source, readonly Mutation[]>): Plan | null {
  const texts = new Map<string, string>();
  const edits: PlannedEdit[] = [];
  for (const [source, mutations] of chosen) {
    const all: Edit[] = mutations.flatMap((mutation) => mutation.edits);
    const text = applyEdits(source.text, all);
    if (text === source.text || !source.accepts(all)) return null;
    texts.set(source.path, text);
    for (const { at, description } of mutations) {
      edits.push({ path: source.path, line: lineAt(source.lines, at) + 1, description });
    }
  }
  return texts.size === 0 ? null : { texts, edits };
}
