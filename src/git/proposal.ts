import { readBlobs } from './blob.ts';
import { type Change, changesBetween } from './change.ts';
import { commitMessage } from './commit.ts';
import { identity } from './environment.ts';
import type { Hub } from './hub.ts';
import { candidateRef, updateRef } from './ref.ts';
import { registrationOf } from './registration.ts';
import { act } from './run.ts';
import { editable, refuse, refuseKinds, refusePaths, type Scope } from './scope.ts';
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

export type Proposed =
  | { readonly kind: 'commit'; readonly commit: string; readonly tree: string; readonly changes: readonly Change[] }
  | { readonly kind: 'no_change' };

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
  const changes = await changesBetween(hub, request.base, tree);
  if (changes.length === 0) return { kind: 'no_change' };
  refusePaths(
    mayEdit,
    changes.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path])),
  );
  refuseKinds(changes, await linkTargets(hub, changes));
  const message = commitMessage(request.message);
  const site = { gitDir: hub.dir, env: identity(request.date) };
  const { stdout } = await act(site, ['commit-tree', '-p', request.base, tree], { stdin: message });
  const commit = stdout.toString().trim();
  await updateRef(hub, candidateRef(request.campaign, request.ordinal), commit);
  return { kind: 'commit', commit, tree, changes };
}

async function linkTargets(hub: Hub, changes: readonly Change[]): Promise<Map<string, string>> {
  const links = changes.filter(({ newMode }) => newMode === '120000').map(({ newBlob }) => newBlob);
  const targets = new Map<string, string>();
  if (links.length === 0) return targets;
  for await (const { oid, bytes } of readBlobs(hub, links)) targets.set(oid, bytes.toString('latin1'));
  return targets;
}
