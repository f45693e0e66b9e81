import type { IslandView } from '../../../policy/index.ts';
import { type JobRow, jobsBefore, planningOf } from '../../../store/index.ts';
import { asUse, type Batch } from '../../plan.ts';
import { type Ledger, restore } from '../../restore.ts';

/** All that the policy saw when it planned a job, and what it was asked for. */
export interface Hindsight {
  readonly islands: readonly IslandView[];
  readonly batch: Batch;
}

/**
 * Rebuilds what was known when a job was planned, to the entry: which jobs had settled by then tells the order of the events, in
 * batches as in streams. Null for the root and seeds, which no policy planned.
 */
export async function lookBack(ledger: Ledger, job: Pick<JobRow, 'ordinal' | 'batch'>): Promise<Hindsight | null> {
  const { store, campaignId, campaign } = ledger;
  const planning = await planningOf(store.db, campaignId, job);
  if (planning === undefined || job.batch === null) return null;
  const { settled, first, count } = planning;
  const populations = await restore(ledger, settled);
  const earlier = await jobsBefore(store.db, campaignId, job.batch);
  const islands = populations.map((population, island) => {
    const own = earlier.filter((other) => other.island === island);
    const open = own.filter(({ settlement }) => settlement === null || settlement >= settled);
    return {
      population,
      recentRecipes: own.slice(-campaign.search.inspirations.cooldown).map((other) => asUse(other).recipe),
      inFlight: open.map(asUse),
    };
  });
  return { islands, batch: { nextOrdinal: first, count } };
}
