import { readBlobs } from './blob.ts';
import { type Change, changesBetween, rememberChanges } from './change.ts';
import { commitMessage } from './commit.ts';
import { identity, signature } from './environment.ts';
import type { Hub } from './hub.ts';
import { writeLoose } from './object.ts';
import { act } from './run.ts';
import { refuseKinds, refusePaths } from './scope.ts';

export type Proposed =
  | { readonly kind: 'commit'; readonly commit: string; readonly tree: string; readonly changes: readonly Change[] }
  | { readonly kind: 'no_change' };

/**
 * Makes the difference between a commit and a tree one commit on top of it, if all of it may be changed. No ref holds it
 * yet. The same request gives the same commit.
 * @throws ScopeError naming what may not be changed.
 */
export async function commitTree(
  hub: Hub,
  request: {
    readonly base: string;
    readonly tree: string;
    readonly mayEdit: (path: string) => boolean;
    readonly message: string;
    readonly date: Date;
  },
): Promise<Proposed> {
  const { base, tree } = request;
  const changes = await changesBetween(hub, base, tree);
  if (changes.length === 0) return { kind: 'no_change' };
  refusePaths(
    request.mayEdit,
    changes.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [oldPath, path])),
  );
  refuseKinds(changes, await linkTargets(hub, changes));
  const commit = await writeCommit(hub, { base, tree, message: commitMessage(request.message), date: request.date });
  rememberChanges(hub, base, commit, changes);
  return { kind: 'commit', commit, tree, changes };
}

async function linkTargets(hub: Hub, changes: readonly Change[]): Promise<Map<string, string>> {
  const links = changes.filter(({ newMode }) => newMode === '120000').map(({ newBlob }) => newBlob);
  const targets = new Map<string, string>();
  if (links.length === 0) return targets;
  for await (const { oid, bytes } of readBlobs(hub, links)) targets.set(oid, bytes.toString('latin1'));
  return targets;
}

/** What `git commit-tree` writes, to the byte; of SHA-1 without starting it. */
async function writeCommit(
  hub: Hub,
  {
    base,
    tree,
    message,
    date,
  }: { readonly base: string; readonly tree: string; readonly message: string; readonly date: Date },
): Promise<string> {
  if (tree.length === 40) {
    const who = signature(date);
    return writeLoose(hub, 'commit', `tree ${tree}\nparent ${base}\nauthor ${who}\ncommitter ${who}\n\n${message}`);
  }
  const site = { gitDir: hub.dir, env: identity(date) };
  return (await act(site, ['commit-tree', '-p', base, tree], { stdin: message })).stdout.toString().trim();
}
