import { lstat, rm } from 'node:fs/promises';
import { commitTree, type Proposed } from './candidate.ts';
import type { Hub } from './hub.ts';
import { encodePath } from './path.ts';
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
  /** What new and changed files may hold in all; absent: anything. */
  readonly mostBytes?: number;
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
 * @throws ScopeError when something outside the edit scope changed, or the worktree itself is gone; nothing is committed then.
 */
export async function commitProposal(hub: Hub, request: ProposalRequest): Promise<Proposed> {
  const { admin, dir, index } = registrationOf(hub, request.worktree);
  await refuseReplaced(dir);
  const mayEdit = editable(request.scope);
  const tree = await snapshot(
    { gitDir: admin, workTree: dir, index },
    { ignore: request.ignore ?? [] },
    async (listing) => {
      refuse('not a file or a symbolic link', listing.foreign);
      refusePaths(mayEdit, [...listing.changed, ...listing.deleted, ...listing.covered]);
      await refuseBulk(dir, listing.changed, request.mostBytes);
    },
  );
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

/** An agent without a sandbox can put anything in the place of its folder: a link there would show us the files of somebody else. */
async function refuseReplaced(dir: string): Promise<void> {
  const isFolder = await lstat(dir).then(
    (status) => status.isDirectory(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false;
      throw error;
    },
  );
  refuse('the worktree is gone, or something else is in its place', isFolder ? [] : ['.']);
}

/** Looked at before a single byte is read. What is too much goes at once: the worktree may not be used again for long. */
async function refuseBulk(dir: string, changed: readonly string[], most = Number.POSITIVE_INFINITY): Promise<void> {
  const files = changed.map((path) => Buffer.concat([Buffer.from(`${dir}/`), encodePath(path)]));
  let bytes = 0;
  for (const file of files) bytes += (await lstat(file)).size;
  if (bytes <= most) return;
  for (const file of files) await rm(file);
  refuse(`changed files of ${bytes} bytes, where ${most} may be kept`, changed);
}
