import { planBatch } from '../policy/index.ts';
import type { Population } from '../qd/index.ts';
import { recipeKey } from '../qd/index.ts';
import {
  appendEvents,
  type EvaluationKey,
  ensurePendingEvaluation,
  planJobs,
  planRoot,
  recentRecipes,
} from '../store/index.ts';
import type { Session } from './session.ts';

const ISLAND = 0;

/** Asks for the root's evaluation, once: it is job 0 and everything is compared with it. */
export async function planTheRoot({ store, queue, campaignId, workshop }: Session): Promise<void> {
  const { commit, tree } = workshop.root;
  await store.db.transaction().execute(async (trx) => {
    const planned = await planRoot(trx, campaignId, { commit, tree, title: 'root' });
    if (!planned) return;
    const key: EvaluationKey = { campaignId, tree, split: 'train' };
    await ensurePendingEvaluation(trx, key, { commit, ordinal: 0 });
    await queue.enqueue(trx, 'evaluate', campaignId, [key]);
    await appendEvents(trx, [{ campaignId, kind: 'campaign.started', data: { root: commit } }]);
  });
}

/** Plans the next batch from the population as it stands: rows, queue entries and events in one transaction. */
export async function planNext(
  session: Session,
  population: Population,
  batch: { readonly nextOrdinal: number; readonly count: number },
): Promise<number> {
  const { store, queue, campaignId, campaign } = session;
  const { search } = campaign;
  const recipes = await recentRecipes(store.db, campaignId, ISLAND, search.inspirations.cooldown);
  const specs = planBatch(
    {
      seed: search.seed,
      island: ISLAND,
      population,
      inspirations: search.inspirations,
      nextOrdinal: batch.nextOrdinal,
      count: batch.count,
      recentRecipes: recipes.toReversed().map((row) => recipeKey(row.baseOrdinal ?? 0, row.inspirations)),
    },
    search.policy,
  );
  await store.db.transaction().execute(async (trx) => {
    await planJobs(
      trx,
      campaignId,
      specs.map((spec) => ({ ...spec, batch: batch.nextOrdinal })),
    );
    await queue.enqueue(
      trx,
      'generate',
      campaignId,
      specs.map(({ ordinal }) => ({ campaignId, ordinal })),
    );
    await appendEvents(
      trx,
      specs.map(({ ordinal, base, inspirations, decision }) => ({
        campaignId,
        kind: 'job.planned',
        ordinal,
        data: { base, inspirations, decision },
      })),
    );
  });
  return specs.length;
}
