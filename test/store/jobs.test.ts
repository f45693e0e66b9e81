import { expect, it } from 'vitest';
import { ConflictError, NotFoundError } from '../../src/errors.ts';
import {
  claimJob,
  countJobs,
  getJob,
  listJobs,
  planJobs,
  planRoot,
  recentRecipes,
  recordCandidate,
  recordFailure,
  requeueJob,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { fail, generate, measure, plan } from './life.ts';
import { aCampaign, aCandidate, plans } from './sample.ts';

describeDatabases('jobs', (databases) => {
  it('are claimed by one worker, and a claim raises the attempt', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    const claims = await Promise.all([1, 2, 3].map(() => claimJob(store.db, campaign, 1, 'w')));
    const won = claims.filter((claim) => claim !== undefined);
    expect(won.map((claim) => [claim.attempt, claim.state])).toEqual([[1, 'generating']]);
    expect(await claimJob(store.db, campaign, 99, 'w')).toBeUndefined();
  });

  it('take nothing from a worker whose claim was lost', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    const slept = await claimJob(store.db, campaign, 1, 'w');
    if (slept === undefined) throw new Error('not claimed');
    await store.db.transaction().execute((trx) => requeueJob(trx, slept));
    const current = await claimJob(store.db, campaign, 1, 'w');
    expect(current?.attempt).toBe(2);

    const late = await store.db.transaction().execute(async (trx) => ({
      candidate: await recordCandidate(trx, slept, aCandidate(1)),
      failure: await recordFailure(trx, slept, { outcome: 'failed', stage: 's', kind: 'k', reason: 'r' }),
      requeue: await requeueJob(trx, slept),
    }));
    expect(late).toEqual({ candidate: false, failure: false, requeue: false });
    const { job, candidate } = await getJob(store.db, campaign, 1);
    expect([job.state, job.attempt, candidate]).toEqual(['generating', 2, undefined]);
  });

  it('keep the whole record of a candidate', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    await generate(store, campaign, 1);
    await measure(store, campaign, 't1');
    const { job, candidate, evaluations } = await getJob(store.db, campaign, 1);
    expect(job).toMatchObject({
      state: 'generated',
      title: 'job 1',
      brief: 'the brief',
      transcript: 'the transcript',
      usage: { tokens: 12 },
      decision: { reason: 'warmup' },
    });
    expect(candidate).toMatchObject({ commit: 'c1', tree: 't1', changedPaths: ['a.c'], added: 2, deleted: 3 });
    expect(evaluations).toHaveLength(1);
    expect(evaluations[0]).toMatchObject({ status: 'valid', objectives: { speed: 1 }, intervals: { speed: [0, 2] } });
  });

  it('store text that PostgreSQL would refuse', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    const claim = await claimJob(store.db, campaign, 1, 'w');
    if (claim === undefined) throw new Error('not claimed');
    const awkward = { ...aCandidate(1), title: 'nul \0 here', summary: 'half \uD800', changedPaths: ['x\0y'] };
    await store.db.transaction().execute((trx) => recordCandidate(trx, claim, awkward));
    const { job, candidate } = await getJob(store.db, campaign, 1);
    expect([job.title, job.summary, candidate?.changedPaths]).toEqual(['nul \uFFFD here', 'half \uFFFD', ['x\uFFFDy']]);
  });

  it('cannot be planned twice, all or none', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    const again = store.db.transaction().execute((trx) => planJobs(trx, campaign, plans(2, 4)));
    await expect(again).rejects.toThrow(ConflictError);
    await store.db.transaction().execute((trx) => planRoot(trx, campaign, { commit: 'x', tree: 'x', title: 'again' }));
    const lines = await listJobs(store.db, campaign, {}, { order: 'ascending', limit: 10 });
    expect(lines.map((line) => [line.ordinal, line.kind, line.commit])).toEqual([
      [0, 'root', 'c0'],
      [1, 'generate', null],
      [2, 'generate', null],
    ]);
  });

  it('are counted by kind and end, and listed by page and filter', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 4);
    await fail(store, campaign, 1);
    await fail(store, campaign, 2);
    await generate(store, campaign, 3);
    const counts = await countJobs(store.db, campaign);
    expect(counts.map(({ kind, state, failureKind, jobs }) => [kind, state, failureKind, jobs])).toEqual([
      ['generate', 'failed', 'timeout', 2],
      ['generate', 'generated', null, 1],
      ['generate', 'queued', null, 1],
      ['root', 'generated', null, 1],
    ]);
    const page = await listJobs(store.db, campaign, {}, { order: 'descending', limit: 2, after: 4 });
    expect(page.map((line) => line.ordinal)).toEqual([3, 2]);
    const failed = await listJobs(store.db, campaign, { states: ['failed'] }, { order: 'ascending', limit: 10 });
    expect(failed.map((line) => [line.ordinal, line.reason])).toEqual([
      [1, 'too slow'],
      [2, 'too slow'],
    ]);
    const none = await listJobs(store.db, campaign, { outcomes: [] }, { order: 'ascending', limit: 10 });
    expect(none).toEqual([]);
    await expect(getJob(store.db, campaign, 77)).rejects.toThrow(NotFoundError);
  });

  it('remember their recipes, the latest first', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    const recipe = { ordinal: 3, island: 0, base: 2, inspirations: [1, 0], decision: null, batch: 1 };
    await store.db.transaction().execute((trx) => planJobs(trx, campaign, [recipe]));
    const recipes = await recentRecipes(store.db, campaign, 0, 2);
    expect(recipes.map((row) => [row.ordinal, row.baseOrdinal, row.inspirations])).toEqual([
      [3, 2, [1, 0]],
      [2, 0, []],
    ]);
  });
});
