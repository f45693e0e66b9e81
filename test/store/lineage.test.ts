import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { ancestry, CHAIN_PATHS, chainsOf, markSettled, mishapsOf, planJobs, treeSeen } from '../../src/store/index.ts';
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

  it('reads several lines at once, and the long texts only of those that were asked for and of the root', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    await measure(store, campaign, 't0', aResult(5));
    for (const [ordinal, base] of [
      [2, 1],
      [3, 2],
      [4, 1],
    ] as const) {
      const child = { ordinal, island: 0, base, inspirations: [], decision: null, batch: ordinal };
      await store.db.transaction().execute((trx) => planJobs(trx, campaign, [child]));
    }
    for (const ordinal of [1, 2, 3, 4]) {
      await generate(store, campaign, ordinal);
      await measure(store, campaign, `t${ordinal}`, { ...aResult(ordinal), evidence: `seen ${ordinal}` });
    }
    const wide = JSON.stringify(Array.from({ length: CHAIN_PATHS + 1 }, (_, index) => `f${index}`));
    await sql`update candidates set changed_paths = ${wide}::jsonb where ordinal = 3`.execute(store.db);
    const lines = await chainsOf(store.db, campaign, [3, 99, 4, 0]);
    expect(lines.map((line) => line.map(({ ordinal }) => ordinal))).toEqual([[0, 1, 2, 3], [], [0, 1, 4], [0]]);
    const [one = []] = lines;
    expect(one.map(({ evidence, metrics }) => [evidence, metrics])).toEqual([
      [null, {}],
      [null, null],
      [null, null],
      ['seen 3', {}],
    ]);
    expect(one.map(({ objectives }) => objectives?.speed)).toEqual([5, 1, 2, 3]);
    expect(one[3]).toMatchObject({ commit: 'c3', tree: 't3', files: 1, added: 2, deleted: 3 });
    expect(one[3]?.changedPaths).toHaveLength(CHAIN_PATHS);
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
    const long = `${'a'.repeat(5_000)}the end`;
    await sql`update jobs set stage = 'internal' where ordinal = 4`.execute(store.db);
    await sql`update jobs set outcome = 'invalid' where ordinal = 2`.execute(store.db);
    expect(await before(9, 10)).toEqual([
      [2, 'too slow'],
      [1, 'too slow'],
    ]);
    await sql`insert into candidates (campaign_id, ordinal, commit, tree, files, added, deleted, changed_paths)
      values (${campaign}, 2, 'c2', 't2', 0, 0, 0, '[]')`.execute(store.db);
    await sql`insert into evaluations (campaign_id, tree, split, commit, ordinal, evidence)
      values (${campaign}, 't2', 'train', 'c2', 2, ${long})`.execute(store.db);
    const [refused] = await mishapsOf(store.db, campaign, 0, 3, 1);
    expect(refused?.evidence).toMatch(/^a{2048} … a+the end$/);
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
