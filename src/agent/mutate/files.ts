import { constants, lstatSync, realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { languageOf } from './language.ts';

/** Larger files are left alone: they are data or generated. */
export const MAX_FILE_BYTES = 512 * 1024;

/** A file without a grammar counts this much less: most are text or data that no build reads. */
const LINE_LEVEL_WEIGHT = 0.1;

export interface Editable {
  readonly path: string;
  /** Relative chance of being chosen. */
  readonly weight: number;
}

/**
 * The regular files that may be changed, by path. A file's chance is its size: the number of places to change grows with
 * it, and to count them exactly the whole repository would have to be parsed.
 *
 * Synchronous: a stat takes some µs, its promise ten times that, and there may be thousands of files.
 */
export function listEditable(worktree: string, paths: readonly string[]): Editable[] {
  const root = realpathSync(worktree);
  const folders = new Map<string, boolean>();
  const found: Editable[] = [];
  for (const path of [...paths].sort()) {
    const status = lstatSync(join(root, path), { throwIfNoEntry: false });
    if (!status?.isFile() || status.size === 0 || status.size > MAX_FILE_BYTES) continue;
    const folder = join(root, dirname(path));
    // A folder on the way that is a symbolic link leads elsewhere, perhaps out of the worktree.
    const real = folders.get(folder) ?? realpathSync(folder) === folder;
    folders.set(folder, real);
    if (real) found.push({ path, weight: status.size * (languageOf(path) === null ? LINE_LEVEL_WEIGHT : 1) });
  }
  return found;
}

/** A file's text; null when it is binary or not UTF-8, since such a file could not be written back byte for byte. */
export async function readText(worktree: string, path: string): Promise<string | null> {
  const file = await open(join(worktree, path), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const bytes = await file.readFile();
    if (bytes.includes(0)) return null;
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return Buffer.from(text).equals(bytes) ? text : null;
  } finally {
    await file.close();
  }
}

/** Replaces a file's content; its mode stays. @throws when the path has become a symbolic link */
export async function writeText(worktree: string, path: string, text: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(join(worktree, path), flags);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}
