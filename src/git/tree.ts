import type { Hub } from './hub.ts';
import { havePresent } from './mirror.ts';
import { unquote } from './path.ts';
import { act } from './run.ts';

export interface TreeEntry {
  /** Six octal digits. */
  readonly mode: string;
  readonly type: 'blob' | 'commit';
  readonly blob: string;
  /** Bytes; 0 for a submodule. */
  readonly size: number;
  readonly path: string;
}

/** All files of a commit or tree, in Git's path order. */
export async function listTree(hub: Hub, commit: string): Promise<TreeEntry[]> {
  await havePresent(hub, [commit]);
  const { stdout } = await act({ gitDir: hub.dir }, ['ls-tree', '-r', '-l', '--full-tree', commit]);
  return parseTree(stdout.toString());
}

/** Reads lines of the form `100644 blob <id>    <size>\t<path>`. */
export function parseTree(text: string): TreeEntry[] {
  return Array.from(text.matchAll(/^(\d{6}) (blob|commit) ([0-9a-f]+) +(\d+|-)\t(.*)$/gm), (line) => ({
    mode: line[1] ?? '',
    type: line[2] === 'commit' ? 'commit' : 'blob',
    blob: line[3] ?? '',
    size: line[4] === '-' ? 0 : Number(line[4]),
    path: unquote(line[5] ?? ''),
  }));
}
