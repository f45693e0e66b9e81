import type { Hub } from './hub.ts';

export interface Blob {
  readonly oid: string;
  readonly bytes: Buffer;
}

/** Streams blobs in the order asked for, through one `git cat-file --batch`; one blob is in memory at a time. */
export async function* readBlobs(_hub: Hub, _oids: Iterable<string>): AsyncGenerator<Blob> {
  throw new Error('not built yet');
}
