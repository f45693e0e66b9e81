/** Jobs whose whole life is decided beforehand, settled on a real database without an agent or an evaluator. */
import fc from 'fast-check';
import type { Campaign } from '../../src/config/index.ts';
import { type Court, type SettledMemory, settleReady } from '../../src/daemon/settle.ts';
import { createTally, type SettledJob } from '../../src/daemon/tally.ts';
import { createDescriptor, createProvider } from '../../src/embedding/index.ts';
import { createPopulation, elites, type Population } from '../../src/qd/index.ts';
import {
  claimTrial,
  createCampaign,
  ensurePendingEvaluation,
  listJobs,
  openTrial,
  planJobs,
  planRoot,
  putRepositoryVector,
  recordTrial,
  type Store,
  type TrialMeasurement,
} from '../../src/store/index.ts';
import { SIGNAL } from '../pipeline/fixture.ts';
import { fail, generate, measure } from '../store/life.ts';
import { aRefusal, aResult, BY } from '../store/sample.ts';

const DIMENSIONS = 16;

/** What will become of a job, decided before anything runs. */
export interface Fate {
  readonly kind: 'made' | 'failed';
  /** Few, so that they repeat; the tree alone decides what the evaluator says. */
  readonly tree: number;
}

export const fates: fc.Arbitrary<readonly Fate[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('made', 'made', 'made', 'failed' as const),
    tree: fc.nat({ max: 11 }),
  }),
  { minLength: 1, maxLength: 16 },
);

let made = 0;

export async function court(store: Store, campaign: Campaign): Promise<Court> {
  const row = await createCampaign(store.db, {
    name: `c${++made}`,
    frozen: {},
    live: {},
    directory: '/nowhere',
    rootCommit: 'c0',
    rootTree: 't0',
    bundleHash: 'b0',
  });
  const provider = createProvider({ kind: 'local', dimensions: DIMENSIONS }, null);
  const root = { sum: new Float64Array(DIMENSIONS).fill(1), count: 1, depth: 0 };
  // The row says what waits; `live` looks there.
  const queue = { enqueue: async () => undefined };
  const lead = null;
  const describer = { provider, descriptor: createDescriptor('displacement'), root, facts: async () => ({}) };
  return { store, queue, lead, campaignId: row.id, campaign, describer };
}

/** A vector that the tree alone decides. */
export function vectorOf(tree: string): { sum: Float64Array; count: number; depth: number } {
  const number = Number(tree.slice(1));
  return {
    sum: Float64Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(number * 7 + at * 3)),
    count: 1,
    depth: 1,
  };
}

/** What a trial measures of a candidate. */
export type Fresh = (ordinal: number, trial: number) => TrialMeasurement;

/** What is known of a fold after so many settled jobs, for a comparison with what is rebuilt later. */
export interface Look {
  readonly settled: number;
  readonly memory: SettledMemory;
}

export interface LiveOptions {
  readonly fresh?: Fresh;
  /** Told whenever nothing more can be settled: when jobs could be planned. */
  readonly onRest?: (look: Look) => void;
}

/** Lives all fates in the given order, settling now and then, and measures for trials; returns what was told and is known. */
export async function live(
  session: Court,
  store: Store,
  jobs: readonly Fate[],
  order: readonly number[],
  pause: number,
  { fresh, onRest }: LiveOptions = {},
) {
  const { campaignId, describer } = session;
  const told: SettledJob[] = [];
  const { campaign } = session;
  const { count: width } = campaign.search.islands;
  const islands = Array.from({ length: width }, () =>
    createPopulation({ ...campaign.search, objectives: campaign.evaluator.objectives }),
  );
  const tally = createTally();
  const memory = { islands, tally };
  const options = { onSettled: (job: SettledJob) => told.push(job), signal: SIGNAL };
  await store.db.transaction().execute(async (trx) => {
    await planRoot(trx, campaignId, { commit: 'c0', tree: 't99', title: 'root' });
    await planJobs(
      trx,
      campaignId,
      jobs.map((_, index) => ({
        ...{ ordinal: index + 1, island: index % width, base: 0, inspirations: [], batch: 1 },
        decision: { version: 1 },
      })),
    );
  });
  await store.db
    .transaction()
    .execute((trx) =>
      ensurePendingEvaluation(trx, { campaignId, tree: 't99', split: 'train' }, { commit: 'c0', ordinal: 0 }),
    );
  await measure(store, campaignId, 't99', aResult(0));
  /** Settles what it can; a trial is measured at the second look at it, or at once in the end. */
  let seen = -1;
  const settle = async (all: boolean): Promise<void> => {
    for (;;) {
      while ((await settleReady(session, memory, options)).more);
      onRest?.({ settled: told.length, memory });
      const trial = await openTrial(store.db, campaignId);
      if (trial === undefined) return;
      if (fresh === undefined) throw new Error('a trial in a test without any');
      if (!all && seen !== trial.number) {
        seen = trial.number;
        return;
      }
      const claim = await claimTrial(store.db, { campaignId, trial: trial.number }, BY);
      if (claim === undefined) throw new Error('a trial that nobody can claim');
      const ordinals = [trial.challenger, ...(trial.incumbent === null ? [] : [trial.incumbent])];
      const measurements = ordinals.map((ordinal) => fresh(ordinal, trial.number));
      await store.db.transaction().execute((trx) => recordTrial(trx, claim, measurements));
    }
  };
  const measured = new Set<string>();
  for (const [position, index] of order.entries()) {
    const fate = jobs[index];
    const ordinal = index + 1;
    if (fate === undefined) throw new Error('the order names a job that is not there');
    if (fate.kind === 'failed') await fail(store, campaignId, ordinal);
    else {
      const tree = `t${fate.tree}`;
      await generate(store, campaignId, ordinal, tree);
      if (!measured.has(tree)) {
        measured.add(tree);
        const key = { campaignId, provider: describer.provider.id, tree };
        await putRepositoryVector(store.db, key, vectorOf(tree));
        const invalid = fate.tree % 5 === 4;
        const identity = fate.tree % 3 === 0 ? `i${fate.tree % 2}` : null;
        await measure(store, campaignId, tree, invalid ? aRefusal() : aResult(fate.tree, identity));
      }
    }
    if (position % pause === 0) await settle(false);
  }
  await settle(true);
  return { islands, tally, told };
}

export const shapes = (islands: readonly Population[]) => islands.map(shape);

const shape = ({ history, epoch, archive }: Population) => ({
  history: history.map(({ ordinal, point, vector, bound }) => ({
    ...{ ordinal, bound },
    point: [...point],
    vector: [...vector],
  })),
  epoch,
  archive: archive === null ? null : elites(archive),
});

export async function verdicts(session: Court) {
  const lines = await listJobs(session.store.db, session.campaignId, {}, { order: 'ascending', limit: 100 });
  return lines.map(({ ordinal, outcome, duplicateOf, settlement, reason }) => ({
    ...{ ordinal, outcome, duplicateOf, settlement, reason },
  }));
}
