import type { Campaign } from '../config/index.ts';
import {
  type ArchipelagoView,
  type CoderChoice,
  chooseCoders,
  type IslandView,
  type JobSpec,
  planIslands,
} from '../policy/index.ts';
import { recipeKey } from '../qd/index.ts';
import {
  appendEvents,
  type EvaluationKey,
  ensurePendingEvaluation,
  jobsInFlight,
  nextOrdinal,
  planJobs,
  planRoot,
  type RecipeRow,
  recentRecipes,
  reserveOrdinal,
} from '../store/index.ts';
import { leading } from './leading.ts';
import type { Memory } from './memory.ts';
import { nextRetries, noteRetries } from './retry.ts';
import { noteRetained } from './rework/index.ts';
import type { Session } from './session.ts';
import { nextSeeds, sow } from './sow.ts';

/** Asks for the root's evaluation, once: it is job 0 and everything is compared with it. */
export async function planTheRoot(session: Session): Promise<void> {
  const { queue, campaignId, workshop } = session;
  const { commit, tree } = workshop.root;
  await leading(session, async (trx) => {
    const planned = await planRoot(trx, campaignId, { commit, tree, title: 'root' });
    if (!planned) return;
    const key: EvaluationKey = { campaignId, tree, split: 'train' };
    await ensurePendingEvaluation(trx, key, { commit, ordinal: 0 });
    await queue.enqueue(trx, 'evaluate', campaignId, [key]);
    await appendEvents(trx, [{ campaignId, kind: 'campaign.started', data: { root: commit } }]);
  });
}

/** Jobs that are planned at once: that many, from the ordinal on. */
export type Batch = Pick<ArchipelagoView, 'nextOrdinal' | 'count'>;

/** What the campaign's policy gives; planning asks it now, and an explanation once more. Pure. */
export function choose({ search }: Campaign, islands: readonly IslandView[], batch: Batch): JobSpec[] {
  const { seed, inspirations, policy } = search;
  return planIslands({ ...batch, seed, inspirations, islands, migrateEvery: search.islands.migrateEvery }, policy);
}

/**
 * Plans the next jobs: the seeds that wait, then the jobs that are to be tried again, then those that the populations as they stand ask for. Rows, queue entries and
 * events are one transaction, so that a batch is planned as a whole. Returns how many; none when the ordinals were taken
 * meanwhile, by a minimised candidate.
 */
export async function planNext(
  session: Session,
  { islands, tally }: Pick<Memory, 'islands' | 'tally'>,
  size: number,
): Promise<number> {
  const { store, queue, campaignId } = session;
  const batch: Batch = { nextOrdinal: await nextOrdinal(store.db, campaignId), count: size };
  const seeds = await nextSeeds(session, batch);
  const again = await nextRetries(session, islands, restOf(batch, seeds.length));
  const rest = restOf(batch, seeds.length + again.length);
  const open = await jobsInFlight(store.db, campaignId);
  const chosen = rest.count === 0 ? [] : await planSearch(session, islands, open, rest);
  const jobs = assign(session, tally, open, [...again, ...chosen]);
  const sown = seeds.map((seed) => ({ ...seed, base: 0, inspirations: [] }));
  return leading(session, async (trx) => {
    if ((await reserveOrdinal(trx, campaignId)) !== batch.nextOrdinal) return 0;
    await sow(session, trx, seeds);
    const made = { batch: batch.nextOrdinal };
    await planJobs(
      trx,
      campaignId,
      jobs.map(({ coder, ...job }) => ({ ...job, ...made, coder: coder.coder })),
    );
    await noteRetries(trx, again);
    await noteRetained(session, trx, islands, batch.nextOrdinal);
    await queue.enqueue(
      trx,
      'generate',
      campaignId,
      jobs.map(({ ordinal }) => ({ campaignId, ordinal })),
    );
    const planned = (ordinal: number, data: object) => ({ campaignId, kind: 'job.planned', ordinal, data });
    await appendEvents(trx, [
      ...sown.map(({ ordinal, base, inspirations, decision }) => planned(ordinal, { base, inspirations, decision })),
      ...jobs.map(({ ordinal, base, inspirations, decision, coder }) =>
        planned(ordinal, { base, inspirations, decision, coder }),
      ),
    ]);
    return seeds.length + jobs.length;
  });
}

/** What is left of a batch when its first jobs are given away. */
function restOf({ nextOrdinal, count }: Batch, taken: number): Batch {
  return { nextOrdinal: nextOrdinal + taken, count: count - taken };
}

/** The jobs that the policies want. */
async function planSearch(
  { store, campaignId, campaign }: Session,
  islands: Memory['islands'],
  open: readonly RecipeRow[],
  batch: Batch,
): Promise<JobSpec[]> {
  const inFlight = open.map(asUse);
  const views = await Promise.all(
    islands.map(async (population, island) => {
      const recent = await recentRecipes(store.db, campaignId, island, campaign.search.inspirations.cooldown);
      return {
        population,
        recentRecipes: recent.toReversed().map((row) => asUse(row).recipe),
        inFlight: inFlight.filter((job) => job.island === island),
      };
    }),
  );
  return choose(campaign, views, batch);
}

/** What is to be done, and by whom where that is known. */
type Unassigned = Pick<JobSpec, 'ordinal' | 'island' | 'base' | 'inspirations'> & {
  readonly decision: object;
  readonly coder?: CoderChoice | null;
};
/** A job with who is asked; that choice and its reason are part of the planning. */
type Assigned = Unassigned & { readonly coder: CoderChoice };

/** Jobs keep the coder that they come with; of the others the rule of the campaign decides. */
function assign(
  { campaign: { agents, search } }: Session,
  tally: Memory['tally'],
  open: readonly { readonly coder: string | null }[],
  jobs: readonly Unassigned[],
): Assigned[] {
  const given = jobs.flatMap(({ coder }) => coder?.coder ?? []);
  const others = chooseCoders(
    {
      arms: agents.coders,
      choose: agents.choose,
      belief: tally.belief,
      seed: search.seed,
      inFlight: [...open.flatMap(({ coder }) => coder ?? []), ...given],
    },
    jobs.filter(({ coder }) => coder == null),
  ).values();
  return jobs.flatMap((job) => {
    const coder = job.coder ?? others.next().value;
    return coder === undefined ? [] : [{ ...job, coder }];
  });
}

/** A planned job as the policies look at it: what it takes, so that others take something else. */
export function asUse({ island, baseOrdinal, inspirations }: RecipeRow): {
  island: number;
  base: number;
  recipe: string;
} {
  const base = baseOrdinal ?? 0;
  return { island, base, recipe: recipeKey(base, inspirations) };
}
