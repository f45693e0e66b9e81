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

/** A changed file with its syntax on both sides; null where the file is not there or no parser reads its language. */
export interface MeasuredFile extends ChangedFile {
  readonly before: SyntaxMeasure | null;
  readonly after: SyntaxMeasure | null;
}
