import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import { recall } from '../../src/daemon/memory.ts';
import { restore } from '../../src/daemon/restore.ts';
import { type Court, settleReady } from '../../src/daemon/settle.ts';
import { count, createTally, type SettledJob } from '../../src/daemon/tally.ts';
import { createDescriptor, createProvider } from '../../src/embedding/index.ts';
import { createPopulation, elites, type Population } from '../../src/qd/index.ts';
import {
  createCampaign,
  ensurePendingEvaluation,
  findByIdentity,
  listJobs,
  planJobs,
  planRoot,
  putRepositoryVector,
  type Store,
} from '../../src/store/index.ts';
import { campaignIn, SIGNAL, temporary } from '../pipeline/fixture.ts';
import { fail, generate, measure } from '../store/life.ts';
import { aRefusal, aResult, plans } from '../store/sample.ts';
import { describeDatabases } from '../support/databases.ts';

const DIMENSIONS = 16;

/** What will become of a job, decided before anything runs. */
interface Fate {
  readonly kind: 'made' | 'failed';
  /** Few, so that they repeat; the tree alone decides what the evaluator says. */
  readonly tree: number;
}

const fates: fc.Arbitrary<readonly Fate[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('made', 'made', 'made', 'failed' as const),
    tree: fc.nat({ max: 11 }),
  }),
  { minLength: 1, maxLength: 16 },
);

let made = 0;

async function court(store: Store, campaign: Campaign): Promise<Court> {
  const row = await createCampaign(store.db, {
    name: `c${++made}`,
    frozen: {},
    live: {},
    directory: '/nowhere',
    rootCommit: 'c0',
    rootTree: 't0',
    bundleHash: 'b0',
  });
  const provider = createProvider({ kind: 'local', dimensions: DIMENSIONS }, {});
  const root = { sum: new Float64Array(DIMENSIONS).fill(1), count: 1, depth: 0 };
  const describer = { provider, descriptor: createDescriptor('displacement'), root, facts: async () => ({}) };
  return { store, campaignId: row.id, campaign, describer };
}

/** A vector that the tree alone decides. */
function vectorOf(tree: string): { sum: Float64Array; count: number; depth: number } {
  const number = Number(tree.slice(1));
  return {
    sum: Float64Array.from({ length: DIMENSIONS }, (_, at) => Math.sin(number * 7 + at * 3)),
    count: 1,
    depth: 1,
  };
}

/** Lives all fates in the given order, settling now and then; returns what was told. */
async function live(session: Court, store: Store, jobs: readonly Fate[], order: readonly number[], pause: number) {
  const { campaignId, describer } = session;
  const told: SettledJob[] = [];
  const { campaign } = session;
  const { count: width } = campaign.search.islands;
  const islands = Array.from({ length: width }, () =>
    createPopulation({ ...campaign.search, objectives: campaign.evaluator.objectives }),
  );
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
    if (position % pause === 0) while ((await settleReady(session, islands, options)) > 0);
  }
  while ((await settleReady(session, islands, options)) > 0);
  return { islands, told };
}

const shapes = (islands: readonly Population[]) => islands.map(shape);

const shape = ({ history, epoch, archive }: Population) => ({
  history: history.map(({ ordinal, point, vector, bound }) => ({
    ...{ ordinal, bound },
    point: [...point],
    vector: [...vector],
  })),
  epoch,
  archive: archive === null ? null : elites(archive),
});

async function verdicts(session: Court) {
  const lines = await listJobs(session.store.db, session.campaignId, {}, { order: 'ascending', limit: 100 });
  return lines.map(({ ordinal, outcome, duplicateOf, settlement, reason }) => ({
    ...{ ordinal, outcome, duplicateOf, settlement, reason },
  }));
}

describeDatabases('settlement', (databases) => {
  let store: Store;
  let campaign: Campaign;

  beforeEach(async () => {
    store = await databases.open();
    campaign = await campaignIn(await temporary());
  });

  test('does not depend on who finished first; memory, restored memory and a recount agree', async () => {
    await fc.assert(
      fc.asyncProperty(
        fates,
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        async (jobs, dice, pause, width) => {
          const divided = { ...campaign, search: { ...campaign.search, islands: { count: width, migrateEvery: 0 } } };
          const inOrder = jobs.map((_, index) => index);
          const shuffled = inOrder
            .map((index) => ({ index, key: dice.next().value ?? 0 }))
            .sort((a, b) => a.key - b.key)
            .map(({ index }) => index);
          const [calm, wild] = [await court(store, divided), await court(store, divided)];
          const first = await live(calm, store, jobs, inOrder, 1);
          const second = await live(wild, store, jobs, shuffled, pause);

          expect(await verdicts(wild)).toEqual(await verdicts(calm));
          expect(shapes(second.islands)).toEqual(shapes(first.islands));
          expect(second.told).toEqual(first.told);
          expect(second.told.map((job) => job.ordinal)).toEqual([0, ...inOrder.map((index) => index + 1)]);

          // `aResult` gives every value an interval of one to either side.
          for (const { bound, point } of second.islands.flatMap((island) => island.history))
            expect(bound).toBe((point[0] ?? 0) - 1);
          expect(shapes(await restore(wild))).toEqual(shapes(second.islands));
          const [primary] = campaign.evaluator.objectives;
          if (primary === undefined) throw new Error('no objective');
          const tally = createTally();
          for (const job of second.told) count(tally, job, primary);
          const memory = await recall(wild);
          expect(memory).toMatchObject({ tally, planned: jobs.length });
        },
      ),
      { numRuns: 12 },
    );
  });

  test('a duplicate names the lowest ordinal, though a later job was measured for both', async () => {
    const session = await court(store, campaign);
    const twin: Fate = { kind: 'made', tree: 1 };
    await live(session, store, [twin, { ...twin, tree: 2 }, twin], [2, 1, 0], 1);
    expect((await verdicts(session)).map((job) => [job.outcome, job.duplicateOf])).toEqual([
      ['candidate', null],
      ['candidate', null],
      ['candidate', null],
      ['duplicate', 1],
    ]);
  });

  test('of two with one identity the lower ordinal counts, though its measurement is a copy of the higher one’s', async () => {
    const session = await court(store, campaign);
    const { campaignId, describer } = session;
    const { islands } = await live(session, store, [], [], 1);
    await store.db.transaction().execute((trx) => planJobs(trx, campaignId, plans(1, 3)));
    for (const ordinal of [1, 2, 3]) {
      await generate(store, campaignId, ordinal, `t${ordinal}`);
      const key = { campaignId, provider: describer.provider.id, tree: `t${ordinal}` };
      await putRepositoryVector(store.db, key, vectorOf(`t${ordinal}`));
    }
    await measure(store, campaignId, 't2', aResult(8, 'same'));
    const known = await findByIdentity(store.db, { campaignId, tree: 't1', split: 'train' }, 'same');
    expect(known?.ordinal).toBe(2);
    await measure(store, campaignId, 't1', { ...aResult(8, 'same'), sharedWith: 2 });
    // The one that was really measured is found, not the copy of the lower ordinal.
    const again = await findByIdentity(store.db, { campaignId, tree: 't3', split: 'train' }, 'same');
    expect(again?.ordinal).toBe(2);
    await measure(store, campaignId, 't3', { ...aResult(8, 'same'), sharedWith: 2 });
    const options = { onSettled: () => undefined, signal: SIGNAL };
    while ((await settleReady(session, islands, options)) > 0);
    expect((await verdicts(session)).map(({ outcome, duplicateOf, reason }) => [outcome, duplicateOf, reason])).toEqual(
      [
        ['candidate', null, null],
        ['candidate', null, null],
        ['duplicate', 1, 'the same identity as job 1'],
        ['duplicate', 1, 'the same identity as job 1'],
      ],
    );
  });

  test('when the write fails nothing is settled, and the restored population settles it', async () => {
    const session = await court(store, campaign);
    const { islands } = await live(session, store, [], [], 1);
    await store.db
      .transaction()
      .execute((trx) =>
        planJobs(trx, session.campaignId, [
          { ordinal: 1, island: 0, base: 0, inspirations: [], decision: {}, batch: 1 },
        ]),
      );
    await generate(store, session.campaignId, 1, 't1');
    await measure(store, session.campaignId, 't1', aResult(1));
    const options = { onSettled: () => undefined, signal: SIGNAL };
    // Its vector is missing.
    await expect(settleReady(session, islands, options)).rejects.toThrow('the vector of job 1');
    expect((await verdicts(session)).at(1)).toMatchObject({ outcome: null, settlement: null });
    const key = { campaignId: session.campaignId, provider: session.describer.provider.id, tree: 't1' };
    await putRepositoryVector(store.db, key, vectorOf('t1'));
    expect(await settleReady(session, await restore(session), options)).toBe(1);
    expect((await verdicts(session)).at(1)).toMatchObject({ outcome: 'candidate', settlement: 1 });
  });
});
