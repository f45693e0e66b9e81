import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { InspirationPatch } from '../../../src/agent/index.ts';

/** A state of the target: text by path. What a commit is to Clade, without Git. */
export type Tree = ReadonlyMap<string, string>;

/** Equal for equal trees, like Git's tree id. */
export function treeId(tree: Tree): string {
  const paths = [...tree.keys()].sort();
  return blobId(JSON.stringify(paths.map((path) => [path, tree.get(path)])));
}

export function blobId(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** What an inspiration changed since `before`, its common ancestor with a base. */
export function patchBetween(ordinal: number, before: Tree, after: Tree): InspirationPatch {
  const files = [...after].flatMap(([path, text]) => {
    const old = before.get(path) ?? null;
    return old === text ? [] : [{ path, before: old, after: text }];
  });
  return { ordinal, files };
}

/** A folder on the disk in which an agent edits one tree after another; only files that differ are written. */
export class Checkout {
  readonly folder: string;
  readonly #present = new Map<string, string>();

  constructor(folder: string) {
    this.folder = folder;
  }

  async show(tree: Tree): Promise<void> {
    for (const [path, text] of tree) {
      if (this.#present.get(path) === text) continue;
      const file = join(this.folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
      this.#present.set(path, text);
    }
  }

  /** The tree with the files that an agent said it edited read anew. */
  async read(tree: Tree, edited: Iterable<string>): Promise<Tree> {
    const after = new Map(tree);
    for (const path of edited) after.set(path, await readFile(join(this.folder, path), 'utf8'));
    for (const [path, text] of after) this.#present.set(path, text);
    return after;
  }
}
