import { mkdir, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { GitError } from '../errors.ts';
import type { Hub } from './hub.ts';
import { publishRef, remoteRefs, retractRef } from './mirror.ts';
import { isLoose } from './object.ts';
import { act } from './run.ts';

/** What holds the candidate of a job; with a round the proposal that went back to its coder then. */
export const candidateRef = (campaign: string, ordinal: number, round?: number): string =>
  `refs/clade/${campaign}/${ordinal}${round === undefined ? '' : `.${round}`}`;
export const rootRef = (campaign: string): string => `refs/clade/${campaign}/root`;

/** The full commit id that a revision names, or null. */
export async function resolve(hub: Hub, revision: string): Promise<string | null> {
  const argv = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await act({ gitDir: hub.dir }, argv, { accept: [0, 1, 128] });
  return code === 0 ? stdout.toString().trim() : null;
}

/** Sets a ref atomically, waiting out or clearing the lock of another process; in the shared hub too. */
export async function updateRef(hub: Hub, ref: string, commit: string): Promise<void> {
  await withRefLocks(hub, ref, () =>
    // Git also looks whether the object is there, in packs too.
    isLoose(hub, commit) ? writeRef(hub, ref, commit) : act({ gitDir: hub.dir }, ['update-ref', ref, commit]),
  );
  await publishRef(hub, ref);
}

/** Sets a ref as Git does in a repository without reflogs: a lock file that takes its place. @throws GitError when there is a lock. */
async function writeRef(hub: Hub, ref: string, commit: string): Promise<void> {
  const file = join(hub.dir, ref);
  await mkdir(dirname(file), { recursive: true });
  try {
    await writeFile(`${file}.lock`, `${commit}\n`, { flag: 'wx' });
  } catch (error) {
    const locked = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw locked ? new GitError(`${ref} is locked`, '', { cause: error }) : error;
  }
  await rename(`${file}.lock`, file);
}

/** Deletes a ref here; one that is not there is fine. */
export async function deleteRef(hub: Hub, ref: string): Promise<void> {
  await withRefLocks(hub, ref, () => act({ gitDir: hub.dir }, ['update-ref', '-d', ref]));
}

/** Deletes a ref that was published, in the shared hub too. */
export async function dropRef(hub: Hub, ref: string): Promise<void> {
  await deleteRef(hub, ref);
  await retractRef(hub, ref);
}

/** All refs below a prefix such as `refs/clade/<campaign>/`, as ref → object id. */
export async function listRefs(hub: Hub, prefix: string): Promise<Map<string, string>> {
  const { stdout } = await act({ gitDir: hub.dir }, ['for-each-ref', '--format=%(refname) %(objectname)', prefix]);
  return new Map(
    Array.from(stdout.toString().matchAll(/^(\S+) (\S+)$/gm), (line): [string, string] => [
      line[1] ?? '',
      line[2] ?? '',
    ]),
  );
}

/** Like `listRefs`, of the hub that all machines share; where there is none, of this one. */
export async function publishedRefs(hub: Hub, prefix: string): Promise<Map<string, string>> {
  return (await remoteRefs(hub, prefix)) ?? (await listRefs(hub, prefix));
}

/** A Git process of ours holds a ref lock for milliseconds; one this old belongs to a dead process. */
export const STALE_MS = 10_000;

async function withRefLocks(hub: Hub, ref: string, work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (!(error instanceof GitError) || attempt > 5) throw error;
      const ages = await Promise.all(
        [`${ref}.lock`, 'packed-refs.lock'].map((name) => clearStale(join(hub.dir, name))),
      );
      if (!ages.some((locked) => locked)) throw error;
      await delay(20 * attempt);
    }
  }
}

/** Says whether a lock file was there, and removes it if its process must be dead. */
async function clearStale(path: string): Promise<boolean> {
  const info = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (info === null) return false;
  if (Date.now() - info.mtimeMs > STALE_MS) await unlink(path);
  return true;
}
