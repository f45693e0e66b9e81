import type { RecordedContent, RecordedFile } from '../../agent/index.ts';
import { changesBetween, type Hub, readBlobs } from '../../git/index.ts';
import { patchBetween } from './patch.ts';

const ABSENT = '000000';
const MODES = ['100644', '100755', '120000'] as const;

/** One side of a changed path. */
interface Side {
  readonly mode: string;
  readonly blob: string;
}

interface Pair {
  readonly path: string;
  readonly before: Side | null;
  readonly after: Side | null;
}

/** What lies between two commits or trees, file by file, whole in itself: nothing of the hub is needed to do it again. */
export async function recordedFiles(hub: Hub, from: string, to: string): Promise<RecordedFile[]> {
  const pairs = await pairsBetween(hub, from, to);
  const contents = await contentsOf(hub, pairs);
  return pairs.map(({ path, before, after }) => ({
    path,
    before,
    after: after === null ? null : contentOf(before, after, contents),
  }));
}

/** A rename is a file that goes and one that comes: where it does not fit, that is easier to say. */
async function pairsBetween(hub: Hub, from: string, to: string): Promise<Pair[]> {
  return (await changesBetween(hub, from, to)).flatMap(({ path, oldPath, ...change }) => {
    const before = sideOf(change.oldMode, change.oldBlob);
    const after = sideOf(change.newMode, change.newBlob);
    if (oldPath === undefined) return [{ path, before, after }];
    return [
      { path: oldPath, before, after: null },
      { path, before: null, after },
    ];
  });
}

function sideOf(mode: string, blob: string): Side | null {
  return mode === ABSENT ? null : { mode, blob };
}

/** The contents that are needed, by blob: all that came, and what was there before it. */
async function contentsOf(hub: Hub, pairs: readonly Pair[]): Promise<Map<string, Buffer>> {
  const wanted = new Set<string>();
  for (const { before, after } of pairs) {
    if (after === null || after.blob === before?.blob) continue;
    wanted.add(after.blob);
    if (before !== null) wanted.add(before.blob);
  }
  const contents = new Map<string, Buffer>();
  if (wanted.size === 0) return contents;
  for await (const { oid, bytes } of readBlobs(hub, wanted)) contents.set(oid, bytes);
  return contents;
}

function contentOf(before: Side | null, after: Side, contents: ReadonlyMap<string, Buffer>): RecordedContent {
  const mode = MODES.find((known) => known === after.mode);
  if (mode === undefined) throw new RangeError(`${after.mode} is no mode that a commit of ours has`);
  const side = { mode, blob: after.blob };
  if (before?.blob === after.blob) return side;
  const bytes = contents.get(after.blob) ?? Buffer.alloc(0);
  const text = textOf(bytes);
  if (text === null) return { ...side, base64: bytes.toString('base64') };
  const old = before === null || before.mode === '120000' || mode === '120000' ? undefined : contents.get(before.blob);
  const patch = old === undefined ? null : patchBetween(textOf(old), text);
  return patch === null ? { ...side, text } : { ...side, patch };
}

/** Null where the bytes are no UTF-8 and would not come back. */
function textOf(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : null;
}
