import type { Hub } from './hub.ts';

export interface CommitRecord {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** Seconds since the epoch. */
  readonly authorSeconds: number;
  readonly message: string;
}

export async function readCommit(_hub: Hub, _oid: string): Promise<CommitRecord> {
  throw new Error('not built yet');
}

/** The commits after `root` up to and with `commit`, oldest first; empty when they are the same. */
export async function lineage(_hub: Hub, _root: string, _commit: string): Promise<string[]> {
  throw new Error('not built yet');
}
