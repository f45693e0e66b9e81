import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { GitError } from '../errors.ts';
import { encodePath, unquote } from './path.ts';
import { act, type Site } from './run.ts';

/** How a worktree differs from the index it was checked out with. */
export interface Listing {
  /** New or modified files and symbolic links. */
  readonly changed: string[];
  /** Tracked files that are gone. */
  readonly deleted: string[];
  /** Tracked files with a folder in their place. */
  readonly covered: string[];
  /** What Git cannot hold, or we do not want: nested repositories, sockets, devices. */
  readonly foreign: string[];
}

/** What a listing leaves out. */
export interface Rules {
  /** Paths that are left out with everything below them, whatever is there. */
  readonly ignore?: readonly string[];
  /** Gitignore patterns for untracked files. */
  readonly junk?: readonly string[];
  /** Whether the .gitignore files of the worktree count for untracked files. */
  readonly gitignore: boolean;
  /** Whether files that the index does not know are listed; default true. */
  readonly untracked?: boolean;
  /** Whether a folder that holds nothing which the index knows is listed as one foreign thing, an empty one too. */
  readonly folders?: boolean;
}

/**
 * Lists the differences without touching the index. `git add -A` would do it in one step, but it hashes gigabytes of junk
 * before anyone can object, dies on an empty nested repository, and asks a nested one for its status, under its own
 * configuration.
 * @throws GitError when a folder cannot be read.
 */
export async function listDifferences(site: Site & { workTree: string }, rules: Rules): Promise<Listing> {
  const ignore = rules.ignore ?? [];
  const patterns = [...ignore.map((path) => `/${escapeGlob(path)}`), ...(rules.junk ?? [])];
  const argv = ['ls-files', '-t', '--modified', '--deleted', ...patterns.map((pattern) => `--exclude=${pattern}`)];
  if (rules.untracked ?? true) argv.push('--others');
  if (rules.folders ?? false) argv.push('--directory');
  if (rules.gitignore) argv.push('--exclude-standard');
  const { stdout, stderr } = await act(site, argv);
  // A folder that cannot be opened is a warning, with exit code 0 and a listing that lacks it.
  if (stderr !== '') throw new GitError('git ls-files could not list the worktree', stderr);
  const entries = parseListing(stdout.toString()).filter(({ path }) => !isBelow(path, ignore));
  return await classify(site.workTree, entries);
}

interface Entry {
  readonly tag: string;
  readonly path: string;
}

/** Reads `<tag> <path>` lines; a deleted file is listed twice, as R and as C. */
export function parseListing(text: string): Entry[] {
  const byPath = new Map<string, Entry>();
  for (const [, tag = '', printed = ''] of text.matchAll(/^(\S) (.*)$/gm)) {
    const path = unquote(printed);
    if (tag === 'R' || !byPath.has(path)) byPath.set(path, { tag, path });
  }
  return [...byPath.values()];
}

async function classify(workTree: string, entries: readonly Entry[]): Promise<Listing> {
  const listing: Listing = { changed: [], deleted: [], covered: [], foreign: [] };
  // A file or link that took the place of a folder hides the tracked files below it, also where these seem to be there.
  const newcomers = new Set(entries.filter(({ tag }) => tag === '?').map(({ path }) => path));
  for (const { tag, path } of entries) {
    if (hasAncestor(path, newcomers)) continue;
    if (path.endsWith('/')) {
      listing.foreign.push(path.slice(0, -1));
      continue;
    }
    const info = await look(workTree, path);
    if (info === null) listing.deleted.push(path);
    else if (info.isFile() || info.isSymbolicLink()) listing.changed.push(path);
    else if (info.isDirectory() && (await look(workTree, `${path}/.git`)) === null && tag !== '?')
      listing.covered.push(path);
    else listing.foreign.push(path);
  }
  return listing;
}

async function look(workTree: string, path: string): Promise<Stats | null> {
  try {
    return await lstat(Buffer.concat([Buffer.from(`${workTree}/`), encodePath(path)]));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return null;
    throw error;
  }
}

function hasAncestor(path: string, set: ReadonlySet<string>): boolean {
  for (let at = path.indexOf('/'); at >= 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
    if (set.has(path.slice(0, at))) return true;
  }
  return false;
}

/** Whether a path is one of `roots` or below one. */
export const isBelow = (path: string, roots: readonly string[]): boolean =>
  roots.some((root) => path === root || path.startsWith(`${root}/`));

/** Makes a path match itself alone as a gitignore or gitattributes pattern. */
export const escapeGlob = (path: string): string => path.replaceAll(/[\\*?[\] ]/g, '\\$&');
