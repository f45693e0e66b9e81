import type { Hub } from './hub.ts';
import type { Patch } from './patches.ts';

export interface Proof {
  /** The fresh clone, with the patches applied and checked out. */
  readonly dir: string;
  readonly commit: string;
  readonly tree: string;
}

/** Applies patches with a plain `git am` in a fresh clone of `root` at `dir` (absolute, absent or empty). */
export async function provePatch(
  _hub: Hub,
  _request: { root: string; patches: readonly Patch[]; dir: string },
): Promise<Proof> {
  throw new Error('not built yet');
}
