import { findCandidate, getRepositoryVector, type StoredRepositoryVector } from '../store/index.ts';
import type { WorkSession } from './work-session.ts';

/** A commit of a job that starts from another. */
export interface Descendant {
  readonly commit: string;
  readonly tree: string;
  /** The ordinal of the base; null for the root. */
  readonly base: number | null;
}

/** The repository vector of a candidate: the one that its tree has, or one stepped from its base's; null where the base has none. */
export async function vectorOf(
  { store, campaignId, describer }: Pick<WorkSession, 'store' | 'campaignId' | 'describer'>,
  { commit, tree, base }: Descendant,
  signal: AbortSignal,
): Promise<StoredRepositoryVector | null> {
  if (base === null) return describer.root;
  const provider = describer.provider.id;
  const known = await getRepositoryVector(store.db, { campaignId, provider, tree });
  if (known !== undefined) return known;
  const parent = await findCandidate(store.db, campaignId, base);
  if (parent === undefined) return null;
  const key = { campaignId, provider, tree: parent.tree };
  const vector = base === 0 ? describer.root : await getRepositoryVector(store.db, key);
  return vector === undefined ? null : describer.step({ commit: parent.commit, vector }, commit, signal);
}
