import type { Generated } from '../../pipeline/index.ts';
import { nearest } from '../../qd/index.ts';
import {
  type JobRow,
  pastOf,
  type Retained,
  type Return,
  retainedAt,
  type StoredRepositoryVector,
} from '../../store/index.ts';
import { vectorOf } from '../vector.ts';
import type { WorkSession } from '../work-session.ts';

/** What a look at a proposal found. */
export interface Look {
  /** Why it goes back; null when it is new enough, or has gone back before. */
  readonly why: Return | null;
  /** The proposal's repository vector, so that nobody computes it again; null when it was not needed. */
  readonly vector: StoredRepositoryVector | null;
}

type Candidate = Extract<Generated, { kind: 'candidate' }>;

/**
 * Compares a proposal, before it is evaluated, with what its island retained when its batch was planned. It goes back once in its job; one
 * whose tree was settled before its batch is a duplicate and does not.
 * @throws InfrastructureError when the embedding provider cannot answer.
 */
export async function lookForNovelty(
  session: WorkSession,
  job: JobRow,
  { commit, tree }: Candidate,
  signal: AbortSignal,
): Promise<Look> {
  const { store, campaignId, campaign, describer } = session;
  const { ordinal, island, batch } = job;
  const { novelty } = campaign.agents;
  const unasked: Look = { why: null, vector: null };
  if (novelty === 0 || batch === null) return unasked;
  const past = await pastOf(store.db, { campaignId, ordinal, tree, before: batch }, 'novelty');
  if (past.reworked > 0 || past.repeats) return unasked;
  const retained = await retainedAt(store.db, { campaignId, island, batch });
  if (retained.length === 0) return unasked;
  const vector = await vectorOf(session, { commit, tree, base: job.baseOrdinal }, signal);
  if (vector === null) return unasked;
  const facts = await describer.facts({ commit, tree }, signal);
  const own = describer.descriptor.describe({ candidate: vector, root: describer.root, ...facts });
  const found = nearest(own, retained);
  return { vector, why: found !== null && found.distance < novelty ? tooNear(found.other, found.distance) : null };
}

function tooNear({ ordinal, title }: Retained, distance: number): Return {
  const name = ordinal === 0 ? 'the root' : `candidate #${ordinal}${title === null ? '' : `, “${title}”`}`;
  const reason = `nearly the same as ${name} (cosine distance ${Number(distance.toPrecision(3))})`;
  return { cause: 'novelty', reason, evidence: '' };
}
