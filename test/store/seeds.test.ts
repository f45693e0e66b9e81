import { expect, it } from 'vitest';
import {
  getJob,
  hasJobs,
  hasValidRoot,
  jobOfTree,
  markSettled,
  type NewSeed,
  planMinimised,
  planSeeds,
  reclaimUnfinished,
  reserveOrdinal,
  type Store,
  sowSeed,
  waitingSeeds,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { generate, measure, plan, readyJobs } from './life.ts';
import { aCampaign } from './sample.ts';

const aSeed = (tree: string): NewSeed => ({
  tree,
  commit: `commit-of-${tree}`,
  source: `${tree}.patch`,
  title: `seed ${tree}`,
  files: 1,
  added: 2,
  deleted: 3,
  changedPaths: ['a.c'],
});

const sow = (store: Store, campaign: number, tree: string) =>
  store.db.transaction().execute((trx) => sowSeed(trx, campaign, aSeed(tree)));

/** Plans everything that waits, from an ordinal on. */
async function enter(store: Store, campaign: number, first: number): Promise<void> {
  const seeds = await waitingSeeds(store.db, campaign, 99);
  const jobs = seeds.map((seed, index) => ({
    ...{ seed, parentCommit: 'c0', ordinal: first + index, island: 1, decision: { policy: 'seed' }, batch: first },
  }));
  await store.db.transaction().execute((trx) => planSeeds(trx, campaign, jobs));
}

describeDatabases('seeds', (databases) => {
  it('wait in the order in which they came, each tree once a campaign', async () => {
    const store = await databases.open();
    const [campaign, other] = [await aCampaign(store), await aCampaign(store, 'other')];
    expect(await hasJobs(store.db, campaign)).toBe(false);
    for (const tree of ['b', 'a', 'c']) {
      expect(await sow(store, campaign, tree)).toEqual({ added: true, job: null });
    }
    expect(await sow(store, campaign, 'a')).toEqual({ added: false, job: null });
    expect(await sow(store, other, 'a')).toEqual({ added: true, job: null });
    expect((await waitingSeeds(store.db, campaign, 2)).map(({ tree }) => tree)).toEqual(['b', 'a']);
    expect(await hasJobs(store.db, campaign)).toBe(true);
  });

  it('become jobs with a candidate that nobody generates, and are known by them afterwards', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    await sow(store, campaign, 'a');
    await enter(store, campaign, 2);
    expect(await waitingSeeds(store.db, campaign, 9)).toEqual([]);
    const { job, candidate } = await getJob(store.db, campaign, 2);
    expect(job).toMatchObject({ kind: 'seed', state: 'generated', baseOrdinal: 0, island: 1, batch: 2, attempt: 0 });
    expect(job).toMatchObject({ title: 'seed a', decision: { policy: 'seed' } });
    expect(candidate).toMatchObject({ commit: 'commit-of-a', tree: 'a', parentCommit: 'c0', changedPaths: ['a.c'] });
    expect(await sow(store, campaign, 'a')).toEqual({ added: false, job: 2 });
    const unfinished = await store.db.transaction().execute((trx) => reclaimUnfinished(trx, campaign, null));
    expect(unfinished.jobs).toEqual([1]);
  });

  it('are not added when a job made the tree before', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    await generate(store, campaign, 1, 'a');
    expect(await sow(store, campaign, 'a')).toEqual({ added: false, job: 1 });
  });

  it('are jobs at once when they are minimised candidates, with the next ordinal', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    await sow(store, campaign, 'waits');
    for (const tree of ['a', 'waits']) {
      const ordinal = await store.db.transaction().execute(async (trx) => {
        const next = await reserveOrdinal(trx, campaign);
        const place = {
          ordinal: next,
          island: 1,
          parentCommit: 'c0',
          decision: { policy: 'minimised' },
          summary: 'why',
        };
        await planMinimised(trx, campaign, aSeed(tree), place);
        return next;
      });
      const { job, candidate } = await getJob(store.db, campaign, ordinal);
      expect(job).toMatchObject({ ordinal: tree === 'a' ? 3 : 4, kind: 'minimised', state: 'generated', island: 1 });
      expect(job).toMatchObject({ baseOrdinal: 0, batch: null, summary: 'why', title: `seed ${tree}` });
      expect(candidate).toMatchObject({ tree, parentCommit: 'c0' });
      expect(await jobOfTree(store.db, campaign, tree)).toBe(ordinal);
    }
    expect(await waitingSeeds(store.db, campaign, 9)).toEqual([]);
    expect(await jobOfTree(store.db, campaign, 'nobody')).toBe(null);
  });

  it('enter as a whole or not at all', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    await sow(store, campaign, 'a');
    await sow(store, campaign, 'b');
    await expect(enter(store, campaign, 2)).rejects.toThrow();
    expect(await waitingSeeds(store.db, campaign, 9)).toHaveLength(2);
  });

  it('ask for a root that was found valid', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    expect(await hasValidRoot(store.db, campaign)).toBe(false);
    await plan(store, campaign, 1);
    await measure(store, campaign, 't0');
    expect(await hasValidRoot(store.db, campaign)).toBe(false);
    expect(await readyJobs(store, campaign, { order: 'ordinal' })).toHaveLength(1);
    await store.db.transaction().execute((trx) => markSettled(trx, campaign, { ordinal: 0, outcome: 'candidate' }));
    expect(await hasValidRoot(store.db, campaign)).toBe(true);
  });
});
