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
}

/**
 * Makes one commit of the difference between the files of a worktree and its base, held by the candidate's ref. HEAD,
 * index, commits and `.git` of the agent are not looked at; files that the target's .gitignore names are junk. Doing it
 * again gives the same commit.
 * @throws ScopeError when something outside the edit scope changed; nothing is committed then.
 */
export async function commitProposal(hub: Hub, request: ProposalRequest): Promise<Proposed> {
  const { admin, dir, index } = registrationOf(hub, request.worktree);
  const mayEdit = editable(request.scope);
  const tree = await snapshot({ gitDir: admin, workTree: dir, index }, { ignore: request.ignore ?? [] }, (listing) => {
    refuse('not a file or a symbolic link', listing.foreign);
    refusePaths(mayEdit, [...listing.changed, ...listing.deleted, ...listing.covered]);
  });
  const { base, message, date } = request;
  const proposed = await commitTree(hub, { base, tree, mayEdit, message, date });
  if (proposed.kind === 'commit') {
    await updateRef(hub, candidateRef(request.campaign, request.ordinal), proposed.commit);
  }
  return proposed;
}
