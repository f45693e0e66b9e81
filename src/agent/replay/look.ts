import { constants, type Dirent, type Stats } from 'node:fs';
import { lstat, open, readdir, readlink } from 'node:fs/promises';
import { decodePath, encodePath } from '../../git/index.ts';
import type { Found } from './fit.ts';

/** The exact bytes of a path below a folder. */
export function bytesOf(worktree: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${worktree}/`), encodePath(path)]);
}

/** The folders on the way to a path, from the outermost in: `a/b/c` has `a` and `a/b`. */
export function waysTo(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * What is at a path of a worktree. A file or a link in the place of a folder on the way hides what is below it: it is never
 * followed, since it may lead out of the worktree.
 */
export async function look(worktree: string, path: string): Promise<Found> {
  for (const way of waysTo(path)) {
    if (!(await statOf(worktree, way))?.isDirectory()) return null;
  }
  const status = await statOf(worktree, path);
  const place = bytesOf(worktree, path);
  if (status === null) return null;
  if (status.isSymbolicLink()) return { mode: '120000', bytes: await readlink(place, { encoding: 'buffer' }) };
  if (!status.isFile()) return 'folder';
  const file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return { mode: (status.mode & 0o100) === 0 ? '100644' : '100755', bytes: await file.readFile() };
  } finally {
    await file.close();
  }
}

/** The first thing on the way to a path that is no folder; null when the way is free. */
export async function obstacle(worktree: string, path: string): Promise<string | null> {
  for (const way of waysTo(path)) {
    const status = await statOf(worktree, way);
    if (status === null) return null;
    if (!status.isDirectory()) return way;
  }
  return null;
}

/** Whatever is below a folder and is none itself. */
export async function below(worktree: string, folder: string): Promise<string[]> {
  const entries: Dirent<Buffer>[] = await readdir(bytesOf(worktree, folder), {
    withFileTypes: true,
    encoding: 'buffer',
  });
  const found: string[] = [];
  for (const entry of entries) {
    const path = `${folder}/${decodePath(entry.name)}`;
    if (entry.isDirectory()) found.push(...(await below(worktree, path)));
    else found.push(path);
  }
  return found;
}

async function statOf(worktree: string, path: string): Promise<Stats | null> {
  try {
    return await lstat(bytesOf(worktree, path));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}
