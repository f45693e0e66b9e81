import { InfrastructureError } from '../../errors.ts';
import { candidateRef, dropRef, type Hub, havePresent, missingOf, publishedRefs, updateRef } from '../../git/index.ts';
import { type HeldCommit, heldCommits, type Store } from '../../store/index.ts';

export interface Refs {
  /** Set again, or taken away, to be as the ledger says. */
  readonly mended: number;
  /** Candidates whose commits are in no hub any more. */
  readonly lost: readonly HeldCommit[];
}

/**
 * Makes the refs of candidates those of the ledger. A job that is under way is left alone: its worker sets the ref before it records the
 * commit, and does it again when it died in between.
 */
export async function mendRefs(db: Store['db'], campaignId: number, name: string, hub: Hub): Promise<Refs> {
  // The rows first: what is recorded while the refs are read has its ref already.
  const held = await heldCommits(db, campaignId);
  const refs = await publishedRefs(hub, `refs/clade/${name}/`);
  const kept = new Set(refs.values());
  // What went back to its coder may be held by the ref of a later round that found it still standing.
  const wrong = held.filter((one) =>
    one.round === null ? (refs.get(refOf(name, one)) ?? null) !== one.commit : !kept.has(one.commit ?? ''),
  );
  const wanted = wrong.filter((one): one is HeldCommit & { commit: string } => one.commit !== null);
  const missing = await absent(
    hub,
    wanted.map(({ commit }) => commit),
  );
  const lost = wanted.filter(({ commit }) => missing.has(commit));
  let mended = 0;
  for (const one of wrong) {
    if (one.commit === null) await dropRef(hub, refOf(name, one));
    else if (missing.has(one.commit)) continue;
    else await updateRef(hub, refOf(name, one), one.commit);
    mended += 1;
  }
  return { mended, lost };
}

const refOf = (name: string, { ordinal, round }: HeldCommit): string => candidateRef(name, ordinal, round ?? undefined);

/** Those that neither this hub nor the shared one holds. */
async function absent(hub: Hub, commits: readonly string[]): Promise<ReadonlySet<string>> {
  if (commits.length === 0) return new Set();
  const missing = await missingOf(hub, commits);
  if (hub.remote === null) return new Set(missing);
  const gone = new Set<string>();
  for (const commit of missing) {
    try {
      await havePresent(hub, [commit]);
    } catch (error) {
      // Asked for by name and refused; that the shared hub can be reached at all was seen a moment ago, when its refs were read.
      if (!(error instanceof InfrastructureError)) throw error;
      gone.add(commit);
    }
  }
  return gone;
}
