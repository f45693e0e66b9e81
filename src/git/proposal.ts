import { commitTree, type Proposed } from './candidate.ts';
import type { Hub } from './hub.ts';
import { candidateRef, updateRef } from './ref.ts';
import { registrationOf } from './registration.ts';
import { editable, refuse, refusePaths, type Scope } from './scope.ts';
import { snapshot } from './snapshot.ts';

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
  /** The proposal of the same job that the worktree began with, null when it began with the base: nothing new is no change. */
  readonly earlier?: { readonly commit: string; readonly tree: string; readonly round: number } | null;
}

/**
 * Makes one commit of the difference between the files of a worktree and its base, held by the candidate's ref. HEAD,
 * index, commits and `.git` of the agent are not looked at; files that the target's .gitignore names are junk. Doing it
 * again gives the same commit. The proposal that a job began its round with keeps a ref of its own.
 * @throws ScopeError when something outside the edit scope changed; nothing is committed then.
 */
export async function commitProposal(hub: Hub, request: ProposalRequest): Promise<Proposed> {
  const { admin, dir, index } = registrationOf(hub, request.worktree);
  const mayEdit = editable(request.scope);
  const tree = await snapshot({ gitDir: admin, workTree: dir, index }, { ignore: request.ignore ?? [] }, (listing) => {
    refuse('not a file or a symbolic link', listing.foreign);
    refusePaths(mayEdit, [...listing.changed, ...listing.deleted, ...listing.covered]);
  });
  const { base, message, date, campaign, ordinal, earlier = null } = request;
  if (tree === earlier?.tree) return { kind: 'no_change' };
  const proposed = await commitTree(hub, { base, tree, mayEdit, message, date });
  if (proposed.kind === 'commit') {
    // Held on its own before the job's ref moves on: no gc can come in between.
    if (earlier !== null) await updateRef(hub, candidateRef(campaign, ordinal, earlier.round), earlier.commit);
    await updateRef(hub, candidateRef(campaign, ordinal), proposed.commit);
  }
  return proposed;
}
