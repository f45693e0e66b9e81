/** What a brief is composed from, chosen by whoever knows the campaign. Nothing in it depends on a clock. */

/** Everything that a brief is composed from. */
export interface BriefInput {
  /** Who reads it: a planner is asked for a plan, a coder for code. */
  readonly audience: 'planner' | 'coder';
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly objectives: readonly { readonly name: string; readonly direction: 'maximize' | 'minimize' }[];
  readonly edit: readonly string[];
  readonly protect: readonly string[];
  readonly base: Relative;
  /** What the base is compared with; null when the base is the root. */
  readonly root: Relative | null;
  /** What the steps of the evaluator did with the base, in order; without one that is the whole evaluator. */
  readonly steps: readonly StepReport[];
  /** From the root to the base, both with it; empty when the base is the root. */
  readonly lineage: readonly Step[];
  readonly inspirations: readonly Inspiration[];
  readonly files: KeyFiles;
  /** Failed attempts from the same base, the latest first; equal ones as often as they happened. */
  readonly failures: readonly Failure[];
  /** What the campaign has learned so far; empty when nothing. */
  readonly lessons: string;
  /** The planner's, for the coder; empty without one. */
  readonly plan: string;
  /** Why the coder is asked once more; null at the first time. */
  readonly rework: Rework | null;
}

/** A candidate on a line of descent. */
export interface Step {
  readonly ordinal: number;
  readonly title: string;
  /** Raw values by objective, as the evaluator gave them; null when there is no valid evaluation. */
  readonly objectives: Numbers | null;
  /** How much differs from the step before; null for the root. */
  readonly extent: Extent | null;
  /** What changed in this step; of many the first. */
  readonly paths: readonly string[];
}

/** A candidate with what the evaluator said of it. */
export interface Relative extends Step {
  readonly intervals: Readonly<Record<string, readonly [number, number]>>;
  /** Those that are told. */
  readonly metrics: Numbers;
  readonly summary: string;
  readonly evidence: string;
}

/** A candidate to take ideas from. */
export interface Inspiration extends Relative {
  /** From the lowest common ancestor of it and the base to itself, both with it: one entry when it is that ancestor. */
  readonly line: readonly Step[];
  /** What it changed since that ancestor, the files that matter most first. */
  readonly diffs: readonly FileChange[];
  /** Changed files that are not among `diffs`. */
  readonly moreFiles: number;
}

/** What differs in one file. */
export interface FileChange {
  readonly path: string;
  /** Unified diff, cut to a size that a brief may carry. */
  readonly diff: string;
  readonly truncated: boolean;
}

/** A file that the search works on. */
export interface KeyFile extends FileChange {
  /** Steps of the base's lineage that changed it. */
  readonly steps: number;
  /** Ordinals of the inspirations that changed it since they parted from the base's lineage. */
  readonly inspirations: readonly number[];
  /** Lines between root and base; null when Git takes the file for binary. */
  readonly lines: { readonly added: number; readonly deleted: number } | null;
}

export interface KeyFiles {
  /** The most important first; `diff` is between root and base. */
  readonly shown: readonly KeyFile[];
  /** How many others there are. */
  readonly more: number;
}

/** How large a change is: files and lines. */
export interface Extent {
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
}

export type Numbers = Readonly<Record<string, number>>;

/** A proposal that comes back to its coder, whose changes are in the worktree. */
export interface Rework {
  readonly cause: 'rework' | 'novelty';
  /** One line. */
  readonly reason: string;
  readonly evidence: string;
}

/** A step of the evaluator as a brief speaks of it. Without its duration: the same campaign gives the same briefs. */
export interface StepReport {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly summary: string;
  readonly evidence: string;
}

/** What was tried and how it failed. */
export interface Failure {
  readonly title: string;
  readonly reason: string;
  /** Of the evaluator; empty where it was not asked. */
  readonly evidence: string;
  /** The end of what the step that failed printed, empty where there was none. */
  readonly output: string;
}
