import type { ChangedFile } from './hunks.ts';

/** What a parser tells about one whole file. */
export interface SyntaxMeasure {
  /** Named nodes of the syntax tree by their kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Depth of the deepest node. */
  readonly depth: number;
  /** Cyclomatic complexity: branches and loops, plus one for each function. */
  readonly cyclomatic: number;
}

/** A file before and after; null where it is not there or no parser reads its language. */
export interface SyntaxChange {
  readonly before: SyntaxMeasure | null;
  readonly after: SyntaxMeasure | null;
}

/** What a candidate changed: the diff, and the syntax of the files in it, in any order. */
export interface Change {
  readonly files: readonly ChangedFile[];
  readonly syntax: readonly SyntaxChange[];
}
