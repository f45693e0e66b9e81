import type { Dir, Stats } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A regular file that an evaluator left in CLADE_ARTIFACTS. It stays where it is; whoever stores it reads `path`. */
export interface ArtifactFile {
  /** Relative to the folder, with forward slashes. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  /** Media type by the file's extension. */
  readonly type: string;
}

export interface CollectedArtifacts {
  readonly files: ArtifactFile[];
  /** What was left out and why, one sentence each. */
  readonly notes: string[];
}

export interface ArtifactLimits {
  readonly files: number;
  readonly totalBytes: number;
  /** Entries looked at; a folder of a million files costs no more than this. */
  readonly entries: number;
}

const LIMITS: ArtifactLimits = { files: 64, totalBytes: 32 * 2 ** 20, entries: 10_000 };

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
};

/**
 * Lists the regular files below `directory` by name. Links are never followed (they could show any file of the host) and
 * special files are never opened.
 */
export async function collectArtifacts(
  directory: string,
  limits: ArtifactLimits = LIMITS,
): Promise<CollectedArtifacts> {
  const notes: string[] = [];
  const names = await listNames(directory, limits.entries, notes);
  const files: ArtifactFile[] = [];
  let left = limits.totalBytes;
  for (const name of names) {
    const path = join(directory, name);
    const stat = await lookAt(path);
    if (stat === null || !stat.isFile()) notes.push(`artifact ${name} was left out: not a regular file`);
    else if (files.length === limits.files)
      notes.push(`artifact ${name} was left out: more than ${limits.files} files`);
    else if (stat.size > left) notes.push(`artifact ${name} was left out: more than ${limits.totalBytes} bytes in all`);
    else {
      files.push({
        name,
        path,
        bytes: stat.size,
        type: TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
      });
      left -= stat.size;
    }
  }
  return { files, notes };
}

/** Null for what an evaluator made unreadable: removed, locked, or below a path that is too long. */
async function lookAt(path: string): Promise<Stats | null> {
  return lstat(path).catch(() => null);
}

/** Null for what is no folder that can be read; a link to one is none. */
async function openFolder(path: string): Promise<Dir | null> {
  if (!(await lookAt(path))?.isDirectory()) return null;
  return opendir(path).catch(() => null);
}

/** Names of everything but folders, relative to `directory`, sorted. */
async function listNames(directory: string, maxEntries: number, notes: string[]): Promise<string[]> {
  const names: string[] = [];
  const folders = [''];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await openFolder(join(directory, folder));
    if (entries === null) {
      notes.push(`the folder ${folder || 'of artifacts'} was left out: it is gone, replaced or locked`);
      continue;
    }
    for await (const entry of entries) {
      if (++seen > maxEntries) {
        notes.push(`more than ${maxEntries} artifacts: the rest was not looked at`);
        return names.sort();
      }
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // A name that is not UTF-8 cannot be opened by its decoded form.
      if (name.includes('\uFFFD')) notes.push(`artifact ${name} was left out: its name is not UTF-8`);
      else if (entry.isDirectory()) folders.push(name);
      else names.push(name);
    }
  }
  return names.sort();
}
