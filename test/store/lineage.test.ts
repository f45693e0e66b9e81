import { expect, it } from 'vitest';
import { ancestry, markSettled, mishapsOf, planJobs, treeSeen } from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { fail, generate, measure, plan } from './life.ts';
import { aCampaign, aRefusal, aResult } from './sample.ts';

describeDatabases('lineage', (databases) => {
  it('goes from the root to the candidate, with what was measured on the way', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    await measure(store, campaign, 't0', aResult(5));
    await generate(store, campaign, 1);
    await measure(store, campaign, 't1', aRefusal());
    const child = { ordinal: 2, island: 0, base: 1, inspirations: [0], decision: null, batch: 1 };
    await store.db.transaction().execute((trx) => planJobs(trx, campaign, [child]));
    await generate(store, campaign, 2);
    const line = await ancestry(store.db, campaign, 2);
    expect(line.map(({ ordinal, commit, objectives }) => [ordinal, commit, objectives])).toEqual([
      [0, 'c0', { speed: 5 }],
      [1, 'c1', null],
      [2, 'c2', null],
    ]);
    expect(await ancestry(store.db, campaign, 99)).toEqual([]);
  });

  it('knows the failed children of a base, the latest first, and only earlier ones', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 4);
    for (const ordinal of [1, 2, 4]) await fail(store, campaign, ordinal);
    await measure(store, campaign, 't0');
    await store.db.transaction().execute((trx) => markSettled(trx, campaign, { ordinal: 0, outcome: 'candidate' }));
    const before = async (ordinal: number, limit: number) =>
      (await mishapsOf(store.db, campaign, 0, ordinal, limit)).map((mishap) => [mishap.ordinal, mishap.reason]);
    expect(await before(4, 10)).toEqual([
      [2, 'too slow'],
      [1, 'too slow'],
    ]);
    expect(await before(9, 1)).toEqual([[4, 'too slow']]);
    expect(await mishapsOf(store.db, campaign, 1, 9, 10)).toEqual([]);
  });

  it('knows a tree only from earlier jobs', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    await generate(store, campaign, 2, 'same');
    expect(await treeSeen(store.db, campaign, 'same', 3)).toBe(true);
    expect(await treeSeen(store.db, campaign, 'same', 2)).toBe(false);
    expect(await treeSeen(store.db, campaign, 't0', 1)).toBe(true);
  });
});
