import type { Hub } from './hub.ts';

export const candidateRef = (campaign: string, ordinal: number): string => `refs/clade/${campaign}/${ordinal}`;
export const rootRef = (campaign: string): string => `refs/clade/${campaign}/root`;

/** The full commit id that a revision names, or null. */
export async function resolve(_hub: Hub, _revision: string): Promise<string | null> {
  throw new Error('not built yet');
}
/** Sets a ref atomically. */
export async function updateRef(_hub: Hub, _ref: string, _commit: string): Promise<void> {
  throw new Error('not built yet');
}
export async function deleteRef(_hub: Hub, _ref: string): Promise<void> {
  throw new Error('not built yet');
}
/** All refs below a prefix such as `refs/clade/<campaign>/`, as ref → object id. */
export async function listRefs(_hub: Hub, _prefix: string): Promise<Map<string, string>> {
  throw new Error('not built yet');
}
