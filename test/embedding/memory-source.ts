import { createHash } from 'node:crypto';
import type { FileSource, SourceChange, SourceEntry } from '../../src/embedding/index.ts';

/** What a file of a test is: text or bytes, with a mode when it is no plain file. */
export type TestFile = string | Uint8Array | { readonly content: string | Uint8Array; readonly mode: string };

export interface MemorySource extends FileSource {
  commit(id: string, files: Readonly<Record<string, TestFile>>): void;
  entries(id: string): SourceEntry[];
  /** Every blob that was read so far, in order. */
  readonly reads: string[];
}

/** Commits held in memory; a change has no sizes and, when content moved, is a rename, as in a diff of Git. */
export function memorySource(): MemorySource {
  const commits = new Map<string, Map<string, SourceEntry>>();
  const blobs = new Map<string, Uint8Array>();
  const reads: string[] = [];

  const treeOf = (id: string) => {
    const tree = commits.get(id);
    if (tree === undefined) throw new Error(`no commit ${id}`);
    return tree;
  };

  return {
    reads,
    commit(id, files) {
      const tree = new Map<string, SourceEntry>();
      for (const [path, file] of Object.entries(files)) {
        const plain = typeof file === 'string' || file instanceof Uint8Array;
        const content = Buffer.from(plain ? file : file.content);
        const blob = createHash('sha1').update(content).digest('hex');
        blobs.set(blob, content);
        tree.set(path, { path, blob, size: content.byteLength, mode: plain ? '100644' : file.mode });
      }
      commits.set(id, tree);
    },
    entries: (id) => [...treeOf(id).values()],
    list: async (id) => [...treeOf(id).values()],
    changes: async (parent, child) => changesOf(treeOf(parent), treeOf(child)),
    async *read(ids) {
      for (const blob of ids) {
        reads.push(blob);
        const bytes = blobs.get(blob);
        if (bytes !== undefined) yield { blob, bytes };
      }
    },
  };
}

function changesOf(before: Map<string, SourceEntry>, after: Map<string, SourceEntry>): SourceChange[] {
  const changes: SourceChange[] = [];
  const gone = [...before.values()].filter(({ path }) => !after.has(path));
  for (const entry of after.values()) {
    const old = before.get(entry.path);
    if (old?.blob === entry.blob && old.mode === entry.mode) continue;
    const movedFrom = old === undefined ? gone.findIndex(({ blob }) => blob === entry.blob) : -1;
    const [moved] = movedFrom === -1 ? [] : gone.splice(movedFrom, 1);
    changes.push({
      path: entry.path,
      ...(moved === undefined ? {} : { oldPath: moved.path }),
      oldBlob: (old ?? moved)?.blob ?? null,
      newBlob: entry.blob,
      oldMode: (old ?? moved)?.mode ?? '000000',
      newMode: entry.mode,
    });
  }
  for (const { path, blob, mode } of gone) {
    changes.push({ path, oldBlob: blob, newBlob: null, oldMode: mode, newMode: '000000' });
  }
  return changes;
}
