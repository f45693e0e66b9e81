import { existsSync } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { InfrastructureError } from '../errors.ts';
import { removeFolder } from '../process/index.ts';
import { withAccess } from './access.ts';
import { readCommit } from './commit.ts';
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
 * it: no file differs from our index, which was read from the commit a moment before. Submodules come out empty, as from
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
  const [differing, tree, wanted] = await Promise.all([
    differences(registration, options),
    line(siteOf(registration), ['write-tree']),
    readCommit(hub, commit),
  ]);
  refuseDifferences(registration, commit, tree === wanted.tree ? differing : ['(its index)', ...differing]);
}

/** Paths whose files are not as the index says. */
async function differences(
  registration: Registration,
  { keep = [], untracked }: { keep?: readonly string[]; untracked: 'refused' | 'allowed' },
): Promise<string[]> {
  const site = { ...siteOf(registration), workTree: registration.dir };
  const rules = { ignore: keep, gitignore: false, untracked: untracked === 'refused' };
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
  await removeFolder(registration.dir);
  await rm(registration.admin, { recursive: true, force: true });
}

async function readTree(registration: Registration, commit: string): Promise<void> {
  await act(siteOf(registration), ['read-tree', '--reset', '-u', commit]);
  await copyFile(registration.index, join(registration.admin, 'index'));
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
