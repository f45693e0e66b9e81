import { existsSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { ScopeError } from '../errors.ts';
import { diffText } from './diff.ts';
import type { Hub } from './hub.ts';
import { encodePath } from './path.ts';
import { registrationOf } from './registration.ts';
import { ask } from './run.ts';
import { snapshot } from './snapshot.ts';

/** What lies in a worktree and nowhere else. */
export interface Unsaved {
  readonly tree: string;
  /** Unified diff against the commit that was checked out, cut at a line end. */
  readonly patch: string;
  readonly truncated: boolean;
}

export interface UnsavedRequest {
  readonly worktree: string;
  /** That the worktree was checked out at. */
  readonly commit: string;
  /** Linked paths. */
  readonly ignore: readonly string[];
  /** What changed files may hold in all. */
  readonly mostBytes: number;
  /** Of the patch. */
  readonly patchBytes: number;
}

/**
 * The files of a worktree against its commit; null when they are as they were, or the worktree is gone.
 * @throws ScopeError when there is too much, GitError when it cannot be read.
 */
export async function unsavedChanges(hub: Hub, request: UnsavedRequest): Promise<Unsaved | null> {
  const { admin, dir, index } = registrationOf(hub, request.worktree);
  if (!existsSync(index) || !(await lstat(dir).catch(() => null))?.isDirectory()) return null;
  const tree = await snapshot({ gitDir: admin, workTree: dir, index }, { ignore: request.ignore }, async (listing) => {
    let bytes = 0;
    for (const path of listing.changed) {
      bytes += (await lstat(Buffer.concat([Buffer.from(`${dir}/`), encodePath(path)]))).size;
    }
    if (bytes > request.mostBytes) throw new ScopeError(`changed files of ${bytes} bytes`, listing.changed);
  });
  const before = (await ask({ gitDir: hub.dir }, ['rev-parse', '--verify', `${request.commit}^{tree}`])).trim();
  if (tree === before) return null;
  const { text, truncated } = await diffText(hub, before, tree, { maxBytes: request.patchBytes });
  return { tree, patch: text, truncated };
}
