import type { Transaction } from 'kysely';
import { candidateRef, updateRef } from '../git/index.ts';
import { islandOf } from '../policy/index.ts';
import {
  type EvaluationKey,
  ensurePendingEvaluation,
  type PlannedSeed,
  planSeeds,
  type Tables,
  waitingSeeds,
} from '../store/index.ts';
import type { Batch } from './plan.ts';
import type { Session } from './session.ts';

/** The seeds that wait, as the first jobs of a batch, each commit under the ref of its job. */
export async function nextSeeds(
  { store, campaignId, campaign, workshop }: Session,
  { nextOrdinal, count }: Batch,
): Promise<PlannedSeed[]> {
  const seeds = await waitingSeeds(store.db, campaignId, count);
  for (const [index, { commit }] of seeds.entries()) {
    await updateRef(workshop.hub, candidateRef(campaign.name, nextOrdinal + index), commit);
  }
  return seeds.map((seed, index) => ({
    seed,
    parentCommit: workshop.root.commit,
    ordinal: nextOrdinal + index,
    island: islandOf(nextOrdinal + index, campaign.search.islands.count),
    decision: { policy: 'seed', source: seed.source },
    batch: nextOrdinal,
  }));
}

/** Writes them as jobs and asks for their evaluations. */
export async function sow(
  { queue, campaignId }: Session,
  trx: Transaction<Tables>,
  seeds: readonly PlannedSeed[],
): Promise<void> {
  await planSeeds(trx, campaignId, seeds);
  for (const { seed, ordinal } of seeds) {
    const key: EvaluationKey = { campaignId, tree: seed.tree, split: 'train' };
    const asked = await ensurePendingEvaluation(trx, key, { commit: seed.commit, ordinal });
    if (asked === 'created') await queue.enqueue(trx, 'evaluate', campaignId, [key]);
  }
}
