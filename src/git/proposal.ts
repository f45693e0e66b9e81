import type { Change } from './change.ts';
import type { Hub } from './hub.ts';
import type { Scope } from './scope.ts';

export interface ProposalRequest {
  /** Absolute folder that `addWorktree` made. */
  readonly worktree: string;
  /** Commit id; becomes the only parent whatever the agent did. */
  readonly base: string;
  readonly scope: Scope;
  /** Linked paths (no slash at the end) that are never committed. */
  readonly ignore?: readonly string[];
  readonly message: string;
  readonly campaign: string;
  readonly ordinal: number;
  /** Author and committer date; fraction of a second dropped. */
  readonly date: Date;
}
export type Proposed =
  | { readonly kind: 'commit'; readonly commit: string; readonly tree: string; readonly changes: readonly Change[] }
  | { readonly kind: 'no_change' };

/**
 * Makes one commit of the difference between the files of a worktree and its base, held by the candidate's ref.
 * @throws ScopeError when something outside the edit scope changed.
 */
export async function commitProposal(_hub: Hub, _request: ProposalRequest): Promise<Proposed> {
  throw new Error('not built yet');
}
