import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import { recall } from '../../src/daemon/memory.ts';
import { restore } from '../../src/daemon/restore.ts';
import { settleReady } from '../../src/daemon/settle.ts';
import { count, createTally } from '../../src/daemon/tally.ts';
import { findByIdentity, planJobs, putRepositoryVector, type Store } from '../../src/store/index.ts';
import { campaignIn, SIGNAL, temporary } from '../pipeline/fixture.ts';
import { generate, measure } from '../store/life.ts';
import { aResult, plans } from '../store/sample.ts';
import { describeDatabases } from '../support/databases.ts';
import { court, type Fate, fates, live, shapes, vectorOf, verdicts } from './court.ts';

describeDatabases('settlement', (databases) => {
  let store: Store;
  let campaign: Campaign;

  beforeEach(async () => {
    store = await databases.open();
    // Without second measurements, which trials.test.ts is about.
    campaign = await campaignIn(await temporary(), { evaluatorKeys: 'remeasure: {jump: 0}' });
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
    const memory = await live(session, store, [], [], 1);
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
    while ((await settleReady(session, memory, options)).more);
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
    const memory = await live(session, store, [], [], 1);
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
    await expect(settleReady(session, memory, options)).rejects.toThrow('the vector of job 1');
    expect((await verdicts(session)).at(1)).toMatchObject({ outcome: null, settlement: null });
    const key = { campaignId: session.campaignId, provider: session.describer.provider.id, tree: 't1' };
    await putRepositoryVector(store.db, key, vectorOf('t1'));
    expect(await settleReady(session, await recall(session), options)).toMatchObject({ settled: 1 });
    expect((await verdicts(session)).at(1)).toMatchObject({ outcome: 'candidate', settlement: 1 });
  });
});
