import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Hub } from './hub.ts';
import { STALE_MS } from './ref.ts';

/** Making a hub takes a tenth of a second. */
const UNFINISHED_MS = 60_000;

/**
 * Removes what dead processes left in a hub and beside it: lock files, and hubs that were never moved into their place. Younger ones may
 * belong to somebody. Returns how many there were.
 */
export async function sweepHub({ dir }: Hub): Promise<{ readonly locks: number; readonly unfinished: number }> {
  const top = (await readdir(dir)).map((name) => join(dir, name));
  const refs = (await readdir(join(dir, 'refs'), { recursive: true })).map((name) => join(dir, 'refs', name));
  const locks = await removeOlder(
    [...top, ...refs].filter((path) => path.endsWith('.lock')),
    STALE_MS,
  );
  const beside = (await readdir(dirname(dir))).filter((name) => name.startsWith(`${basename(dir)}.new-`));
  const unfinished = await removeOlder(
    beside.map((name) => join(dirname(dir), name)),
    UNFINISHED_MS,
  );
  return { locks, unfinished };
}

async function removeOlder(paths: readonly string[], ms: number): Promise<number> {
  let removed = 0;
  for (const path of paths) {
    const info = await stat(path).catch(() => null); // gone by now: whoever had it lives
    // Times of files are of the wall clock; one that jumps makes this late or early by a look, and `update-ref` waits for a lock anyway.
    if (info === null || Date.now() - info.mtimeMs <= ms) continue;
    await rm(path, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}
