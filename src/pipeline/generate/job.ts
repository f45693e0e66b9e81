import type { BriefInput, Task } from '../../agent/index.ts';
import type { Change } from '../../git/index.ts';
import type { Usage } from './makers.ts';

/** One job's generation as data: everything an agent may know, chosen before it starts. */
export interface GenerateInput {
  readonly ordinal: number;
  readonly island: number;
  /** The name of the coder that was chosen when the job was planned. */
  readonly coder: string | null;
  /** Times that the proposal came back. */
  readonly round: number;
  readonly base: { readonly ordinal: number; readonly commit: string };
  /** The proposal that came back; null in round 0. */
  readonly earlier: Earlier | null;
  /** What a planner wrote for this job already; null when none did. */
  readonly planned: Planned | null;
  readonly brief: BriefInput;
  readonly inspirations: Task['inspirations'];
  /** Paths tracked in the checkout that the coder begins with. */
  readonly files: Task['files'];
  readonly seen: NonNullable<Task['seen']>;
  /** The lane whose folder is used; nobody else uses it meanwhile. */
  readonly lane: number;
}

/** What a coder begins a later round with. */
export interface Earlier {
  readonly commit: string;
  readonly tree: string;
  /** The round that made it, or found it still standing. */
  readonly round: number;
}

/** What a planner came to. */
export interface Planned {
  readonly plan: string;
  /** Of its run; empty when it was kept with an earlier proposal. */
  readonly transcript: string;
}

/** What was told and said. */
export interface Told {
  readonly title: string;
  readonly summary: string;
  readonly brief: string;
  readonly transcript: string;
  /** The planner's; null without one. */
  readonly plan: string | null;
  /** Why the planner that was asked gave no plan. */
  readonly planless: string | null;
  /** The name of the coder that made it. */
  readonly coder: string;
  /** Of all agents that were asked. */
  readonly usage: Usage | null;
}

/** What became of a generation. Only the difference in the worktree makes a candidate, whatever the agent said. */
export type Generated = Told &
  (
    | {
        readonly kind: 'candidate';
        readonly commit: string;
        readonly tree: string;
        readonly parent: string;
        readonly changes: readonly Change[];
      }
    | { readonly kind: 'no_change'; readonly reason: string }
    /** A later round that made nothing of its own: the proposal that came back is the job's. */
    | { readonly kind: 'stands'; readonly reason: string }
    | { readonly kind: 'failed'; readonly stage: 'agent' | 'scope'; readonly failure: string; readonly reason: string }
  );
