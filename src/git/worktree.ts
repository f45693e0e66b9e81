import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InfrastructureError } from '../errors.ts';
import { withAccess } from './access.ts';
import type { Hub } from './hub.ts';
import { escapeGlob, listDifferences } from './listing.ts';
import { encodePath, unquote } from './path.ts';
import { type Registration, registrationOf, siteOf, writeRegistration } from './registration.ts';
import { act, line } from './run.ts';

/** Checks `commit` (full id) out at `dir` (absolute), in place of whatever a dead process left there. */
export async function addWorktree(hub: Hub, dir: string, commit: string): Promise<void> {
  await removeWorktree(hub, dir);
  const registration = registrationOf(hub, dir);
  await mkdir(registration.dir, { recursive: true });
  await writeRegistration(registration, commit);
  await readTree(registration, commit);
}

/**
 * Moves a worktree to `commit`, removes every other file but the linked paths of `keep` (no slash at the end), and proves
 * it: no file differs from our index, and the index is the commit's tree. Submodules come out empty, as from
 * `addWorktree`, for `clean` would leave what a candidate put into them.
 * @throws InfrastructureError when the checkout cannot be proved clean.
 */
export async function resetWorktree(
  hub: Hub,
  dir: string,
  commit: string,
  options: { keep?: readonly string[] } = {},
): Promise<void> {
  const registration = registrationOf(hub, dir);
  if (
    !existsSync(registration.index) ||
    !existsSync(registration.dir) ||
    !(await lstat(registration.dir)).isDirectory()
  ) {
    await addWorktree(hub, dir, commit);
    return;
  }
  const keep = options.keep ?? [];
  await withAccess(registration.dir, async () => {
    await writeRegistration(registration, commit);
    // Cleaned first: behind a link in the place of a folder, read-tree would find the files of the folder, unchanged.
    const excludes = keep.flatMap((path) => ['-e', `/${escapeGlob(path)}`]);
    const [submodules] = await Promise.all([
      act(siteOf(registration), ['ls-files', '--stage']),
      act(siteOf(registration), ['clean', '-ffdxq', ...excludes]),
    ]);
    for (const path of parseSubmodules(submodules.stdout.toString())) await emptyFolder(registration.dir, path);
    await readTree(registration, commit);
  });
  await proveCheckout(hub, dir, commit, { keep, untracked: 'refused' });
}

/**
 * Proves that the files of a worktree are those of `commit`. After an evaluation, which may build things,
 * `untracked: 'allowed'` looks at the tracked files alone.
 * @throws InfrastructureError naming what differs.
 */
export async function proveCheckout(
  hub: Hub,
  dir: string,
  commit: string,
  options: { keep?: readonly string[]; untracked: 'refused' | 'allowed' },
): Promise<void> {
  const registration = registrationOf(hub, dir);
  const site = { ...siteOf(registration), workTree: registration.dir };
  const rules = { ignore: options.keep ?? [], gitignore: false, untracked: options.untracked === 'refused' };
  const [listing, tree, wanted] = await Promise.all([
    withAccess(registration.dir, () => listDifferences(site, rules)),
    line(site, ['write-tree']),
    line({ gitDir: hub.dir }, ['rev-parse', '--verify', `${commit}^{tree}`]),
  ]);
  const differing = [...listing.changed, ...listing.deleted, ...listing.covered, ...listing.foreign];
  if (tree !== wanted || differing.length > 0) {
    throw new InfrastructureError(`checkout of ${commit} at ${dir} is not clean: ${differing.slice(0, 5).join(', ')}`);
  }
}

/** Removes a worktree and its registration, never following a link out of it; one that is not there is fine. */
export async function removeWorktree(hub: Hub, dir: string): Promise<void> {
  const registration = registrationOf(hub, dir);
  // rm uses lstat and unlink all the way down: a link is removed, what it leads to is not.
  if (existsSync(registration.dir)) {
    await withAccess(registration.dir, () => rm(registration.dir, { recursive: true, force: true, maxRetries: 3 }));
  } else {
    await rm(registration.dir, { force: true }); // a dangling link
  }
  await rm(registration.admin, { recursive: true, force: true });
}

async function readTree(registration: Registration, commit: string): Promise<void> {
  await act(siteOf(registration), ['read-tree', '--reset', '-u', commit]);
  await copyFile(registration.index, join(registration.admin, 'index'));
}

/** Reads `160000 <id> <stage>\t<path>` among the lines of all files. */
function parseSubmodules(text: string): string[] {
  return Array.from(text.matchAll(/^160000 [^\t]*\t(.*)$/gm), (line) => unquote(line[1] ?? ''));
}

async function emptyFolder(dir: string, path: string): Promise<void> {
  const folder = Buffer.concat([Buffer.from(`${dir}/`), encodePath(path)]);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
