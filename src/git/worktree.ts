import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError, InfrastructureError } from '../errors.ts';
import { removeFolder } from '../process/index.ts';
import { withAccess } from './access.ts';
import { readCommit } from './commit.ts';
import type { Hub } from './hub.ts';
import { escapeGlob, listDifferences } from './listing.ts';
import { havePresent } from './mirror.ts';
import { encodePath, unquote } from './path.ts';
import { forgetIndex, isReadFrom, rememberIndex } from './read-index.ts';
import { type Registration, registrationOf, siteOf, writeRegistration } from './registration.ts';
import { act, line } from './run.ts';

/** Checks `commit` (full id) out at `dir` (absolute), in place of whatever a dead process left there. */
export async function addWorktree(hub: Hub, dir: string, commit: string): Promise<void> {
  await havePresent(hub, [commit]);
  await removeWorktree(hub, dir);
  const registration = registrationOf(hub, dir);
  await mkdir(registration.dir, { recursive: true });
  await writeRegistration(registration, commit);
  await readTree(registration, commit);
}

/**
 * Moves a worktree to `commit`, removes every other file but the linked paths of `keep` (no slash at the end), and proves
 * it: no file differs from our index, which was read from the commit. Where nothing was left behind, which is most often
 * so, that takes one or two Git processes; else four.
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
  await havePresent(hub, [commit]);
  await withAccess(registration.dir, () => writeRegistration(registration, commit));
  if (!(await movedAsItIs(registration, commit, keep))) await cleanAndMove(registration, commit, keep);
}

/** Moves a worktree without cleaning it; false when that, or what was left in it, is not good enough. */
async function movedAsItIs(registration: Registration, commit: string, keep: readonly string[]): Promise<boolean> {
  try {
    if (await isReadFrom(registration, commit)) await showIndex(registration);
    else await readTree(registration, commit);
    // `clean` would leave what a candidate put into a submodule, and so would this.
    if ((await listSubmodules(registration)).length > 0) return false;
    return (await differences(registration, { keep, untracked: 'refused', folders: true })).length === 0;
  } catch (error) {
    if (error instanceof GitError) return false; // something is in the way, or closed: what cleans also mends that
    throw error;
  }
}

/** Submodules come out empty, as from `addWorktree`. */
async function cleanAndMove(registration: Registration, commit: string, keep: readonly string[]): Promise<void> {
  await withAccess(registration.dir, async () => {
    // Cleaned first: behind a link in the place of a folder, read-tree would find the files of the folder, unchanged.
    const excludes = keep.flatMap((path) => ['-e', `/${escapeGlob(path)}`]);
    const [submodules] = await Promise.all([
      listSubmodules(registration),
      act(siteOf(registration), ['clean', '-ffdxq', ...excludes]),
    ]);
    for (const path of submodules) await emptyFolder(registration.dir, path);
    await readTree(registration, commit);
  });
  refuseDifferences(registration, commit, await differences(registration, { keep, untracked: 'refused' }));
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
  const [differing, indexed] = await Promise.all([
    differences(registration, options),
    holdsTree(hub, registration, commit),
  ]);
  refuseDifferences(registration, commit, indexed ? differing : ['(its index)', ...differing]);
}

/** Whether our index is that of the commit: as it was when it was read from it, or by tree id. */
async function holdsTree(hub: Hub, registration: Registration, commit: string): Promise<boolean> {
  if (await isReadFrom(registration, commit)) return true;
  const [tree, wanted] = await Promise.all([line(siteOf(registration), ['write-tree']), readCommit(hub, commit)]);
  return tree === wanted.tree;
}

/** Paths whose files are not as the index says. */
async function differences(
  registration: Registration,
  {
    keep = [],
    untracked,
    folders = false,
  }: { keep?: readonly string[]; untracked: 'refused' | 'allowed'; folders?: boolean },
): Promise<string[]> {
  const site = { ...siteOf(registration), workTree: registration.dir };
  const rules = { ignore: keep, gitignore: false, untracked: untracked === 'refused', folders };
  const listing = await withAccess(registration.dir, () => listDifferences(site, rules));
  return [...listing.changed, ...listing.deleted, ...listing.covered, ...listing.foreign];
}

function refuseDifferences({ dir }: Registration, commit: string, paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new InfrastructureError(`checkout of ${commit} at ${dir} is not clean: ${paths.slice(0, 5).join(', ')}`);
}

/** Removes a worktree and its registration, never following a link out of it; one that is not there is fine. */
export async function removeWorktree(hub: Hub, dir: string): Promise<void> {
  const registration = registrationOf(hub, dir);
  forgetIndex(registration);
  await removeFolder(registration.dir);
  await rm(registration.admin, { recursive: true, force: true });
}

async function readTree(registration: Registration, commit: string): Promise<void> {
  forgetIndex(registration);
  await act(siteOf(registration), ['read-tree', '--reset', '-u', commit]);
  await Promise.all([rememberIndex(registration, commit), showIndex(registration)]);
}

/** Gives whoever works in the worktree an index of their own. */
async function showIndex({ index, admin }: Registration): Promise<void> {
  await copyFile(index, join(admin, 'index'));
}

/** The mode 160000 as every version of the index file holds it. */
const SUBMODULE_MODE = Buffer.from([0x00, 0x00, 0xe0, 0x00]);

/** Paths of the submodules in the index; Git is asked only when the bytes of one are there. */
async function listSubmodules(registration: Registration): Promise<string[]> {
  if (!(await readFile(registration.index)).includes(SUBMODULE_MODE)) return [];
  const { stdout } = await act(siteOf(registration), ['ls-files', '--stage']);
  // `160000 <id> <stage>\t<path>` among the lines of all files.
  return Array.from(stdout.toString().matchAll(/^160000 [^\t]*\t(.*)$/gm), (found) => unquote(found[1] ?? ''));
}

async function emptyFolder(dir: string, path: string): Promise<void> {
  const folder = Buffer.concat([Buffer.from(`${dir}/`), encodePath(path)]);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
}
