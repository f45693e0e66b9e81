import type { Hub } from './hub.ts';

export interface TreeEntry {
  readonly mode: string;
  readonly type: 'blob' | 'commit';
  readonly blob: string;
  /** Bytes; 0 for a submodule. */
  readonly size: number;
  readonly path: string;
}

/** All files of a commit or tree, in Git's path order. */
export async function listTree(_hub: Hub, _commit: string): Promise<TreeEntry[]> {
  throw new Error('not built yet');
}
