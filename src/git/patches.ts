import type { Hub } from './hub.ts';

/** A mail that a plain `git am` applies; `name` is a file name such as `0001-title.patch`. */
export interface Patch {
  readonly name: string;
  readonly bytes: Buffer;
}

/** One patch for each commit of root..commit, oldest first. */
export async function formatSeries(_hub: Hub, _root: string, _commit: string): Promise<Patch[]> {
  throw new Error('not built yet');
}

/** One patch for the whole difference root..commit, under the given message (default: the commit's own). */
export async function formatSquashed(_hub: Hub, _root: string, _commit: string, _message?: string): Promise<Patch> {
  throw new Error('not built yet');
}
