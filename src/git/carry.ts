import type { Hub } from './hub.ts';

export interface Conflict {
  readonly path: string;
  /** The file with conflict markers, bounded; empty where there is no text to show. */
  readonly text: string;
}
export type Carried =
  | { readonly kind: 'carried'; readonly onto: string; readonly commit: string; readonly tree: string }
  | { readonly kind: 'conflict'; readonly onto: string; readonly conflicts: readonly Conflict[] };

/** Three-way carries the commits root..winner onto another revision of the target, which is fetched from `repository`. */
export async function carryOnto(
  _hub: Hub,
  _request: { campaign: string; repository: string; root: string; winner: string; onto: string },
): Promise<Carried> {
  throw new Error('not built yet');
}
