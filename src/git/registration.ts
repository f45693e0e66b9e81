import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Hub } from './hub.ts';
import type { Site } from './run.ts';

/**
 * A worktree as the hub knows it (gitrepository-layout(5), "worktrees"), written by us and not by `git worktree add`:
 * its id is the hash of its folder, so that a hundred can be made at once without a lock, the leftover of a dead process
 * is found again by its folder, and those of other people have other names.
 */
export interface Registration {
  readonly dir: string;
  /** `<hub>/worktrees/clade-<hash>`. */
  readonly admin: string;
  /** Our index. The agent's is a copy of it, `<admin>/index`, which we never read again. */
  readonly index: string;
}

const PREFIX = 'clade-';

export function registrationOf(hub: Hub, dir: string): Registration {
  const folder = resolve(dir);
  const hash = createHash('sha256').update(folder).digest('hex').slice(0, 20);
  const admin = join(hub.dir, 'worktrees', PREFIX + hash);
  return { dir: folder, admin, index: join(admin, 'clade.index') };
}

export const siteOf = (registration: Registration): Site => ({
  gitDir: registration.admin,
  workTree: registration.dir,
  index: registration.index,
});

/**
 * Writes the registration and the worktree's `.git` file, as they should be, over whatever an agent or a dead process
 * left: another HEAD, locks, half a merge, a folder instead of the file. Our index stays, it is only a cache.
 */
export async function writeRegistration(registration: Registration, commit: string): Promise<void> {
  const { admin, dir } = registration;
  await mkdir(admin, { recursive: true });
  for (const name of await readdir(admin)) {
    if (name !== 'clade.index') await rm(join(admin, name), { recursive: true, force: true });
  }
  const link = join(dir, '.git');
  await rm(link, { recursive: true, force: true });
  await Promise.all([
    writeFile(join(admin, 'commondir'), '../..\n'),
    writeFile(join(admin, 'gitdir'), `${link}\n`),
    writeFile(join(admin, 'HEAD'), `${commit}\n`),
    writeFile(join(admin, 'locked'), 'in use by Clade\n'), // keeps `git worktree prune` away when an agent deletes `.git`
    writeFile(link, `gitdir: ${admin}\n`, { flag: 'wx' }), // wx: never through a link
  ]);
}

/** Drops registrations of ours whose folder is gone; returns the folders of those that are still there. */
export async function reconcileWorktrees(hub: Hub): Promise<string[]> {
  const alive: string[] = [];
  const names = await readdir(join(hub.dir, 'worktrees'));
  for (const name of names.filter((each) => each.startsWith(PREFIX)).sort()) {
    const admin = join(hub.dir, 'worktrees', name);
    const gitdir = join(admin, 'gitdir');
    const dir = existsSync(gitdir) ? dirname((await readFile(gitdir, 'utf8')).trim()) : null;
    if (dir !== null && (await isFolder(dir))) alive.push(dir);
    else await rm(admin, { recursive: true, force: true });
  }
  return alive;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isDirectory();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
