import { GitError } from '../errors.ts';
import type { Hub } from './hub.ts';
import { havePresent } from './mirror.ts';
import { unquote } from './path.ts';
import { act } from './run.ts';

const STATUS = { A: 'added', D: 'deleted', M: 'modified', R: 'renamed', T: 'type_changed' } as const;

/** One changed file. Blob ids are full (all zeros = absent), modes six octal digits (`000000` = absent). */
export interface Change {
  readonly status: (typeof STATUS)[keyof typeof STATUS];
  readonly path: string;
  /** Only of a rename. */
  readonly oldPath?: string;
  readonly oldBlob: string;
  readonly newBlob: string;
  readonly oldMode: string;
  readonly newMode: string;
  /** Lines; absent when Git takes the file for binary. */
  readonly added?: number;
  readonly deleted?: number;
}

/** What was found lately, by hub and pair of ids: these name contents, so it stays true. */
const found = new WeakMap<Hub, Map<string, readonly Change[]>>();
const KEPT = 64;

/** The changed files between two commits or trees, in path order, renames found. */
export async function changesBetween(hub: Hub, a: string, b: string): Promise<readonly Change[]> {
  return found.get(hub)?.get(`${a} ${b}`) ?? rememberChanges(hub, a, b, await readChanges(hub, a, b));
}

/** Says what is known already of a pair. */
export function rememberChanges(hub: Hub, a: string, b: string, changes: readonly Change[]): readonly Change[] {
  const known = found.get(hub) ?? new Map<string, readonly Change[]>();
  known.set(`${a} ${b}`, changes);
  for (const oldest of known.keys()) {
    if (known.size <= KEPT) break;
    known.delete(oldest);
  }
  found.set(hub, known);
  return changes;
}

async function readChanges(hub: Hub, a: string, b: string): Promise<Change[]> {
  await havePresent(hub, [a, b]);
  const argv = ['diff-tree', '-r', '-M', '--raw', '--numstat', '--no-abbrev', '--no-ext-diff', '--no-textconv', a, b];
  const { stdout } = await act({ gitDir: hub.dir }, argv);
  return parseChanges(stdout.toString());
}

/** How large a change is: files, and lines of those that Git does not take for binary. */
export interface Extent {
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
}

export function extentOf(changes: readonly Change[]): Extent {
  const lines = (side: 'added' | 'deleted'): number => changes.reduce((sum, change) => sum + (change[side] ?? 0), 0);
  return { files: changes.length, added: lines('added'), deleted: lines('deleted') };
}

const isStatus = (letter: string | undefined): letter is keyof typeof STATUS =>
  letter !== undefined && Object.hasOwn(STATUS, letter);

/**
 * Reads `:<mode> <mode> <id> <id> <letter><score>\t<path>[\t<path>]` lines followed by as many of
 * `<added>\t<deleted>\t<name>`; both lists have one order, so that the ambiguous names of the second are not needed.
 */
export function parseChanges(text: string): Change[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const raw = lines.filter((line) => line.startsWith(':'));
  const counts = lines.filter((line) => !line.startsWith(':'));
  if (raw.length !== counts.length) throw new GitError('git diff-tree counted other files than it listed', text);
  return raw.map((line, index) => {
    const [head = '', first = '', second] = line.slice(1).split('\t');
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = '', letter = ''] = head.split(' ');
    const status = letter[0];
    if (!isStatus(status)) throw new GitError('git diff-tree printed an unknown status', line);
    const [added = '-', deleted = '-'] = (counts[index] ?? '').split('\t');
    return {
      status: STATUS[status],
      path: unquote(second ?? first),
      ...(second === undefined ? {} : { oldPath: unquote(first) }),
      oldBlob,
      newBlob,
      oldMode,
      newMode,
      ...(added === '-' ? {} : { added: Number(added), deleted: Number(deleted) }),
    };
  });
}
