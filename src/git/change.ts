import type { Hub } from './hub.ts';

/** One changed file. Blob ids are full (all zeros = absent), modes six octal digits (`000000` = absent). */
export interface Change {
  readonly status: 'added' | 'deleted' | 'modified' | 'renamed' | 'type_changed';
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

/** The changed files between two commits or trees, in path order. */
export async function changesBetween(_hub: Hub, _a: string, _b: string): Promise<Change[]> {
  throw new Error('not built yet');
}
