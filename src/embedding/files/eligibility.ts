import ignore, { type Ignore } from 'ignore';
import { knownFile } from './known.ts';
import { eligibleSize } from './text.ts';

/** An ignore file of the root commit: `path` from the root of the tree, `text` as committed. */
export interface IgnoreFile {
  readonly path: string;
  readonly text: string;
}

/** The frozen rules of a campaign on which paths are embedded. */
export interface Eligibility {
  readonly ignored: Ignore;
}

const IGNORE_FILE = /(?:^|\/)\.(?:git|clade)ignore$/;

export function isIgnoreFile(path: string): boolean {
  return IGNORE_FILE.test(path);
}

/**
 * Freezes the ignore rules: all files' patterns as one list, rewritten to be relative to the root, the shallower file first
 * and `.cladeignore` after `.gitignore`. One list, because "the last match wins, and nothing below an excluded folder
 * can come back" then holds across files exactly as Git has it.
 */
export function readEligibility(files: readonly IgnoreFile[]): Eligibility {
  const ignored = ignore({ ignorecase: false, allowRelativePaths: true });
  for (const file of files.toSorted(byPrecedence)) {
    const folder = file.path.slice(0, file.path.lastIndexOf('/') + 1);
    ignored.add(file.text.split(/\r?\n/).flatMap((line) => rooted(line, folder)));
  }
  return { ignored };
}

/**
 * Whether a path is embedded: a known extension or name, not ignored, and 0 < size ≤ 512 KB when the size is known. That the
 * content is text is left to `decodeText`.
 */
export function eligible(eligibility: Eligibility, path: string, size?: number): boolean {
  if (size !== undefined && !eligibleSize(size)) return false;
  return knownFile(path) && !eligibility.ignored.ignores(path);
}

function byPrecedence(a: IgnoreFile, b: IgnoreFile): number {
  const depth = (file: IgnoreFile) => file.path.split('/').length;
  if (depth(a) !== depth(b)) return depth(a) - depth(b);
  // Descending, so that .cladeignore follows .gitignore; the order of different folders does not matter.
  return a.path < b.path ? 1 : -1;
}

/** A pattern of the ignore file in `folder` (`''` or `a/b/`) as a pattern of the root; nothing for blanks and comments. */
function rooted(line: string, folder: string): string[] {
  if (folder === '' || line.trim() === '' || line.startsWith('#')) return [line];
  const negated = line.startsWith('!');
  const pattern = negated ? line.slice(1) : line;
  // Git: a separator before the end ties a pattern to its folder, otherwise it holds at any depth below.
  const tied = pattern.trimEnd().slice(0, -1).includes('/');
  const literal = folder.replace(/[\\*?[\]]/g, '\\$&');
  return [`${negated ? '!' : ''}/${literal}${tied ? pattern.replace(/^\//, '') : `**/${pattern}`}`];
}
