import type { Campaign } from '../config/index.ts';
import {
  decodeProjection,
  type Entry,
  fitProjection,
  lowerBound,
  orient,
  type Population,
  restorePopulation,
  type Score,
} from '../qd/index.ts';
import { type DecidedTrial, decidedTrials, history, listProjections, type Store } from '../store/index.ts';
import type { Session } from './session.ts';
import { inForce, type Standing, standingsOf } from './trials/index.ts';

/** A campaign and the database that has its ledger. */
export type Ledger = Pick<Session, 'campaignId' | 'campaign'> & { readonly store: Pick<Store, 'db'> };

/**
 * The populations of all islands as they were after the settled history, under the projections that were fitted then and the scores
 * that trials had given by then.
 * @param before only what was settled before this place in the settlement order: the populations of that time
 */
export async function restore(ledger: Ledger, before = Infinity): Promise<Population[]> {
  const numbers = Array.from({ length: ledger.campaign.search.islands.count }, (_, island) => island);
  const trials = await decidedTrials(ledger.store.db, ledger.campaignId);
  return Promise.all(numbers.map((island) => restoreIsland(ledger, island, { before, trials })));
}

async function restoreIsland(
  { store, campaignId, campaign }: Ledger,
  island: number,
  { before, trials }: { readonly before: number; readonly trials: readonly DecidedTrial[] },
): Promise<Population> {
  const { objectives } = campaign.evaluator;
  const stored = new Map(
    (await listProjections(store.db, campaignId, island)).map((row) => [row.epoch, decodeProjection(row.payload)]),
  );
  const settled = (await history(store.db, campaignId, island)).filter(({ settlement }) => settlement < before);
  const standings = standingsOf(inForce(trials, before), settled[0]);
  const entries = settled.map((entry) => {
    const { ordinal, scores, intervals, vector } = entry;
    const known = standings.get(ordinal);
    const standing = known === undefined || known === 'withdrawn' ? { scores, intervals } : known;
    return entryOf(campaign, ordinal, { ...standing, withdrawn: known === 'withdrawn' }, vector);
  });
  return restorePopulation({ ...campaign.search, objectives }, entries, fitProjection, stored);
}

/** A settled candidate as a population takes it. */
export function entryOf(campaign: Campaign, ordinal: number, standing: Standing, vector: Float32Array): Entry {
  return { ordinal, vector, ...scoreOf(campaign, standing) };
}

/** What a candidate stands at, as a population ranks it. */
export function scoreOf({ evaluator }: Campaign, { scores, intervals, withdrawn = false }: Standing): Score {
  const [primary] = evaluator.objectives;
  const bound = primary === undefined ? null : lowerBound(primary, intervals[primary.name]);
  return { point: orient(evaluator.objectives, scores), bound, ...(withdrawn ? { withdrawn } : {}) };
}
