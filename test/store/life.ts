import {
  claimEvaluation,
  claimJob,
  type EvaluationResult,
  ensurePendingEvaluation,
  finishEvaluation,
  planJobs,
  planRoot,
  recordCandidate,
  recordFailure,
  type Store,
  settleable,
  unsettled,
} from '../../src/store/index.ts';
import { aCandidate, aResult, BY, plans } from './sample.ts';

/** The root and jobs 1 to `last`, planned. */
export async function plan(store: Store, campaignId: number, last: number): Promise<void> {
  await store.db.transaction().execute(async (trx) => {
    await planRoot(trx, campaignId, { commit: 'c0', tree: 't0', title: 'root' });
    await ensurePendingEvaluation(trx, { campaignId, tree: 't0', split: 'train' }, { commit: 'c0', ordinal: 0 });
    await planJobs(trx, campaignId, plans(1, last));
  });
}

/** Claims a job and gives it a candidate with this tree, whose measurement is asked for. */
export async function generate(store: Store, campaignId: number, ordinal: number, tree = `t${ordinal}`): Promise<void> {
  const job = await claimJob(store.db, campaignId, ordinal, 'w');
  if (job === undefined) throw new Error(`job ${ordinal} cannot be claimed`);
  await store.db.transaction().execute(async (trx) => {
    await recordCandidate(trx, job, aCandidate(ordinal, tree));
    await ensurePendingEvaluation(trx, { campaignId, tree, split: 'train' }, { commit: `c${ordinal}`, ordinal });
  });
}

/** Claims a job and ends it without a candidate. */
export async function fail(store: Store, campaignId: number, ordinal: number): Promise<void> {
  const job = await claimJob(store.db, campaignId, ordinal, 'w');
  if (job === undefined) throw new Error(`job ${ordinal} cannot be claimed`);
  await store.db
    .transaction()
    .execute((trx) =>
      recordFailure(trx, job, { outcome: 'failed', stage: 'generate', kind: 'timeout', reason: 'too slow' }),
    );
}

/** Claims the measurement of a tree and finishes it. */
export async function measure(
  store: Store,
  campaignId: number,
  tree: string,
  result: EvaluationResult = aResult(1),
): Promise<void> {
  const claim = await claimEvaluation(store.db, { campaignId, tree, split: 'train' }, BY);
  if (claim === undefined) throw new Error(`the evaluation of ${tree} cannot be claimed`);
  await store.db.transaction().execute((trx) => finishEvaluation(trx, claim, result));
}

/** What can be settled now. */
export async function readyJobs(
  store: Store,
  campaignId: number,
  { order, limit = 64 }: { readonly order: 'ordinal' | 'done'; readonly limit?: number },
) {
  return settleable(await unsettled(store.db, campaignId, limit), order);
}
