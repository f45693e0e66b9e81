import { isUtf8 } from 'node:buffer';
import { hunksBetween, splitLines } from '../../agent/index.ts';
import { type Change, changesBetween, type Hub, type Placed, readBlobs } from '../../git/index.ts';

/** Some lines of the old text that others stand in for. */
export interface Splice {
  /** The zero-based line of the old text at which the removed lines begin. */
  readonly at: number;
  readonly removed: number;
  /** Each with its line end. */
  readonly added: readonly string[];
}

/** What a candidate did to one file, or to several that only change together. */
export type FileChange = { readonly kind: 'whole'; readonly files: ReadonlyMap<string, Placed> } | TextChange;

export interface TextChange {
  readonly kind: 'text';
  readonly path: string;
  readonly mode: string;
  /** Lines of the old text; empty when the file is new. */
  readonly before: readonly string[];
  /** In the order of the text; together they give the new text. Without any the file is as it was, or not there. */
  readonly splices: readonly Splice[];
}

const FILES = new Set(['100644', '100755']);

/**
 * The difference between two commits or trees, a change for each file. Renames, modes, links, binary files, CRLF and files
 * without a line end at their end are whole, as is what could not exist side by side with another change.
 */
export async function readChanges(hub: Hub, root: string, commit: string): Promise<FileChange[]> {
  const changes = await changesBetween(hub, root, commit);
  const texts = await readTexts(hub, changes.filter(mayBeSplit));
  return untangled(changes).map((group) => {
    const [only] = group;
    const split = only !== undefined && group.length === 1 && mayBeSplit(only) ? textChange(only, texts) : null;
    return split ?? { kind: 'whole', files: new Map(group.flatMap(placements)) };
  });
}

function mayBeSplit({ status, oldMode, newMode, added }: Change): boolean {
  if (added === undefined || !FILES.has(newMode)) return false;
  return status === 'added' || (status === 'modified' && oldMode === newMode);
}

/** The texts of changed files by blob id, of those that are made of whole plain lines. */
async function readTexts(hub: Hub, changes: readonly Change[]): Promise<Map<string, string>> {
  const blobs = new Set(
    changes.flatMap(({ status, oldBlob, newBlob }) => (status === 'added' ? [newBlob] : [oldBlob, newBlob])),
  );
  const texts = new Map<string, string>();
  for await (const { oid, bytes } of readBlobs(hub, blobs)) {
    const plain = isUtf8(bytes) && !bytes.includes(0) && !bytes.includes(13) && bytes.at(-1) === 10;
    if (plain) texts.set(oid, bytes.toString());
  }
  return texts;
}

function textChange(
  { status, path, newMode, oldBlob, newBlob }: Change,
  texts: Map<string, string>,
): FileChange | null {
  const isNew = status === 'added';
  const [before, after] = [isNew ? '' : texts.get(oldBlob), texts.get(newBlob)];
  if (before === undefined || after === undefined) return null;
  const splices = hunksBetween(before, after).map(({ at, removed, added }) => ({ at, removed: removed.length, added }));
  return { kind: 'text', path, mode: newMode, before: splitLines(before), splices };
}

function placements({ path, oldPath, newMode, newBlob, status }: Change): [string, Placed][] {
  if (status === 'deleted') return [[path, null]];
  const made: [string, Placed] = [path, { mode: newMode, blob: newBlob }];
  return oldPath === undefined ? [made] : [[oldPath, null], made];
}

/** The lines that the splices give. */
export function textOf({ before, splices }: Pick<TextChange, 'before' | 'splices'>): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const splice of splices) {
    lines.push(...before.slice(at, splice.at), ...splice.added);
    at = splice.at + splice.removed;
  }
  return [...lines, ...before.slice(at)];
}

/** A file and a folder of one name exclude each other: changes of which one makes way for another stay together. */
function untangled(changes: readonly Change[]): Change[][] {
  const groups = new Map<string, Change[]>();
  const join = (a: string, b: string): void => {
    const [one, other] = [groups.get(a), groups.get(b)];
    if (one === undefined || other === undefined || one === other) return;
    one.push(...other);
    for (const [path, group] of groups) if (group === other) groups.set(path, one);
  };
  for (const change of changes) {
    const group = [change];
    for (const path of pathsOf(change)) groups.set(path, group);
  }
  for (const path of [...groups.keys()]) {
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      join(path, path.slice(0, slash));
    }
  }
  return [...new Set(groups.values())];
}

const pathsOf = ({ path, oldPath }: Change): string[] => (oldPath === undefined ? [path] : [oldPath, path]);
