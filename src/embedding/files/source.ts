/** Where files come from, as plain data: the pipeline adapts `git/` to it, the tests a map in memory. */

/** One blob, link or submodule of a commit's tree. `mode` is Git's, such as `100644`; `size` is in bytes. */
export interface SourceEntry {
  readonly path: string;
  readonly blob: string;
  readonly size: number;
  readonly mode: string;
}

/**
 * One difference between two commits. `oldBlob` is null when the file was added, `newBlob` when it was deleted; `oldPath`
 * is there only for a rename. Sizes are optional because a Git diff does not carry them: without one it is the blob's
 * content that decides.
 */
export interface SourceChange {
  readonly path: string;
  readonly oldPath?: string;
  readonly oldBlob: string | null;
  readonly newBlob: string | null;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldSize?: number;
  readonly newSize?: number;
}

export interface BlobContent {
  readonly blob: string;
  readonly bytes: Uint8Array;
}

export interface FileSource {
  /** Every entry of a commit's tree, in any order. */
  list(commit: string): Promise<readonly SourceEntry[]>;
  changes(parent: string, child: string): Promise<readonly SourceChange[]>;
  /** The content of each blob asked for, in any order, as a stream so that a large repository is never held at once. */
  read(blobs: readonly string[]): AsyncIterable<BlobContent>;
}
