import { lstatSync, opendirSync, type Stats } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { heldFiles } from './held-files.ts';

/** What lies in some folders that is new or was changed. */
export interface Written {
  /** Blocks of every such file, whole though only a part of it may be new, and an inode for each. At least this. */
  readonly bytes: number;
  /** Whether something could not be looked into, so that there may be more. */
  readonly hidden: boolean;
}

export interface Since {
  /** Absolute. */
  readonly folders: readonly string[];
  /** Compared with ctime, which nobody can set. */
  readonly ms: number;
}

/** Counted beside the blocks of each file: inodes can be used up, too. */
export const INODE_BYTES = 4096;
/** How long others wait for their turn. */
const SLICE_MS = 5;
const ENTRIES_AT_ONCE = 256;
const NOT_THERE = new Set<unknown>(['ENOENT', 'ENOTDIR']);

/**
 * Counts what was written below folders, and what was deleted there and is still held open by one of `pids`. Stops when it
 * is more than `enoughBytes`. Links are not followed, other file systems not entered.
 *
 * Our own walk, not du(1): that one cannot leave out what was there before, and lists a million files before it says a word.
 */
export async function writtenSince(since: Since, pids: readonly number[], enoughBytes: number): Promise<Written> {
  // A byte a character: names need not be UTF-8.
  const stack = since.folders.map((folder) => Buffer.from(folder).toString('latin1'));
  const devices = new Set(stack.map((root) => inspect(root)).map((stat) => (stat instanceof Object ? stat.dev : -1)));
  const held = (await heldFiles(pids)).filter((file) => !file.memory && devices.has(file.device));
  const linked = new Set<string>();
  let bytes = held.reduce((sum, file) => sum + file.bytes, 0);
  let hidden = false;
  let sliceEnd = performance.now() + SLICE_MS;
  for (let folder = stack.pop(); folder !== undefined; folder = stack.pop()) {
    for (const [path, stat] of entries(folder)) {
      if (stat === 'hidden') hidden = true;
      else if (devices.has(stat.dev) && isFirst(stat, linked)) {
        if (stat.isDirectory()) stack.push(path);
        if (stat.ctimeMs >= since.ms) bytes += stat.blocks * 512 + INODE_BYTES;
        if (bytes > enoughBytes) return { bytes, hidden };
      }
      if (performance.now() < sliceEnd) continue;
      await breathe();
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return { bytes, hidden };
}

/** A file with several names counts once. */
function isFirst(stat: Stats, linked: Set<string>): boolean {
  if (stat.isDirectory() || stat.nlink === 1) return true;
  const key = `${stat.dev}:${stat.ino}`;
  if (linked.has(key)) return false;
  linked.add(key);
  return true;
}

/** What lies in a folder, read piece by piece: it may hold millions. */
function* entries(folder: string): Generator<readonly [string, Stats | 'hidden']> {
  let directory: ReturnType<typeof opendirSync>;
  try {
    directory = opendirSync(Buffer.from(folder, 'latin1'), { encoding: 'latin1', bufferSize: ENTRIES_AT_ONCE });
  } catch (error) {
    if (!isNotThere(error)) yield [folder, 'hidden'];
    return;
  }
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      const path = `${folder}/${entry.name}`;
      const stat = inspect(path);
      if (stat !== null) yield [path, stat];
    }
  } finally {
    directory.closeSync();
  }
}

/** Null when it is not there (any more), `hidden` when it may be but cannot be seen: no permission, a path too long. */
function inspect(path: string): Stats | 'hidden' | null {
  try {
    return lstatSync(Buffer.from(path, 'latin1'));
  } catch (error) {
    return isNotThere(error) ? null : 'hidden';
  }
}

function isNotThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NOT_THERE.has(error.code);
}
