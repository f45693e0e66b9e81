import type { Rng } from '../../qd/index.ts';
import type { InspirationPatch } from '../task.ts';
import type { Source } from './source.ts';
import type { Edit } from './text.ts';

/** One change to one file, not yet made. */
export interface Mutation {
  /** Do not overlap each other. */
  readonly edits: readonly Edit[];
  /** Where a reader should look: the offset that the message's line number is taken from. */
  readonly at: number;
  /** What it does, in a few words: `constant 0.95 → 0.99`. */
  readonly description: string;
}

/** What an operator may look at besides the file. */
export interface Context {
  readonly inspirations: readonly InspirationPatch[];
}

/** How an operator is written: its sites in a file, and what it does at one of them. */
export interface OperatorSpec<Site> {
  readonly name: string;
  /** Relative chance of being chosen among the operators that have a site. */
  readonly weight: number;
  readonly sites: (source: Source, context: Context) => readonly Site[];
  /** Null when there is nothing to do at this site after all. */
  readonly apply: (site: Site, source: Source, rng: Rng) => Mutation | null;
}

/** An operator with its kind of site closed over, so that different ones fit in one list. */
export interface Operator {
  readonly name: string;
  readonly weight: number;
  /** A way to make one mutation at a random site; null when the file has no site. */
  readonly prepare: (source: Source, context: Context) => ((rng: Rng) => Mutation | null) | null;
}

export function defineOperator<Site>({ name, weight, sites, apply }: OperatorSpec<Site>): Operator {
  return {
    name,
    weight,
    prepare: (source, context) => {
      const found = sites(source, context);
      return found.length === 0 ? null : (rng) => apply(rng.pick(found), source, rng);
    },
  };
}
