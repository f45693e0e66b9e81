import type { Campaign } from '../config/index.ts';
import {
  decodeProjection,
  type Entry,
  fitProjection,
  lowerBound,
  orient,
  type Population,
  restorePopulation,
} from '../qd/index.ts';
import { history, listProjections, type Settleable, type Store } from '../store/index.ts';
import type { Session } from './session.ts';

/** A campaign and the database that has its ledger. */
export type Ledger = Pick<Session, 'campaignId' | 'campaign'> & { readonly store: Pick<Store, 'db'> };

/**
 * The populations of all islands as they were after the settled history, under the projections that were fitted then.
 * @param before only what was settled before this place in the settlement order: the populations of that time
 */
export async function restore(ledger: Ledger, before = Infinity): Promise<Population[]> {
  const numbers = Array.from({ length: ledger.campaign.search.islands.count }, (_, island) => island);
  return Promise.all(numbers.map((island) => restoreIsland(ledger, island, before)));
}

async function restoreIsland(
  { store, campaignId, campaign }: Ledger,
  island: number,
  before: number,
): Promise<Population> {
  const { objectives } = campaign.evaluator;
  const stored = new Map(
    (await listProjections(store.db, campaignId, island)).map((row) => [row.epoch, decodeProjection(row.payload)]),
  );
  const entries = (await history(store.db, campaignId, island))
    .filter(({ settlement }) => settlement < before)
    .map((entry) => entryOf(campaign, entry, entry.vector));
  return restorePopulation({ ...campaign.search, objectives }, entries, fitProjection, stored);
}

type Scores = Pick<Settleable, 'ordinal' | 'objectives' | 'intervals'>;

/** A settled candidate as a population takes it. */
export function entryOf(
  { evaluator }: Campaign,
  { ordinal, objectives, intervals }: Scores,
  vector: Float32Array,
): Entry {
  const [primary] = evaluator.objectives;
  const bound = primary === undefined ? null : lowerBound(primary, intervals?.[primary.name]);
  return { ordinal, point: orient(evaluator.objectives, objectives ?? {}), vector, bound };
}
