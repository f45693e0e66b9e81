import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ConflictError } from '../../src/errors.ts';
import {
  bestCandidates,
  candidatesByCommit,
  candidatesOf,
  claimEvaluation,
  claimJob,
  ensurePendingEvaluation,
  findCandidate,
  findEarlier,
  findEvaluation,
  finishEvaluation,
  history,
  markSettled,
  putDescriptor,
  reclaimUnfinished,
  requeueEvaluation,
  type Store,
  unfinished,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { fail, generate, measure, plan, readyJobs } from './life.ts';
import { aCampaign, aRefusal, aResult, BY } from './sample.ts';

describeDatabases('settlement', (databases) => {
  it('goes in ordinal order, whatever finished first', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 4);
    const ready = async () => (await readyJobs(store, campaign, { order: 'ordinal' })).map((job) => job.ordinal);
    await generate(store, campaign, 2);
    await measure(store, campaign, 't2');
    expect(await ready()).toEqual([]);
    await measure(store, campaign, 't0');
    expect(await ready()).toEqual([0]);
    await fail(store, campaign, 1);
    expect(await ready()).toEqual([0, 1, 2]);
    await settle(store, campaign, 0, 'candidate');
    expect(await ready()).toEqual([1, 2]);
    await generate(store, campaign, 4, 't2');
    expect(await ready()).toEqual([1, 2]);
    await generate(store, campaign, 3);
    await measure(store, campaign, 't3', aRefusal());
    const all = await readyJobs(store, campaign, { order: 'ordinal' });
    expect(all.map((job) => [job.ordinal, job.state, job.tree, job.status, job.invalidKind])).toEqual([
      [1, 'failed', null, null, null],
      [2, 'generated', 't2', 'valid', null],
      [3, 'generated', 't3', 'invalid', 'test'],
      [4, 'generated', 't2', 'valid', null],
    ]);
  });

  it('goes in the order of completion for a streaming schedule', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 4);
    await measure(store, campaign, 't0');
    const done = (act: () => Promise<void>): Promise<void> => act().then(nextMillisecond);
    await done(() => generate(store, campaign, 3));
    await done(() => fail(store, campaign, 4));
    await done(() => generate(store, campaign, 1));
    await done(() => measure(store, campaign, 't1'));
    await done(() => measure(store, campaign, 't3'));
    const ready = await readyJobs(store, campaign, { order: 'done', limit: 5 });
    expect(ready.map((job) => job.ordinal)).toEqual([0, 4, 1, 3]);
  });

  it('considers each job exactly once', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    await measure(store, campaign, 't0');
    await fail(store, campaign, 1);
    expect(await settle(store, campaign, 0, 'candidate')).toBe(0);
    expect(await settle(store, campaign, 1, 'failed')).toBe(1);
    await expect(settle(store, campaign, 1, 'failed')).rejects.toThrow(ConflictError);
    await expect(settle(store, campaign, 2, 'failed')).rejects.toThrow(ConflictError);
  });

  it('finds the earlier candidate with the same tree or identity', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 3);
    await measure(store, campaign, 't0', aResult(1, 'binary 0'));
    await generate(store, campaign, 1);
    await measure(store, campaign, 't1', aResult(2, 'binary 1'));
    const repeats = (tree: string, identity: string | null) => findEarlier(store.db, campaign, { tree, identity });
    expect(await repeats('t1', null)).toBeUndefined();
    await settle(store, campaign, 0, 'candidate');
    await settle(store, campaign, 1, 'candidate');
    expect(await repeats('t1', null)).toEqual({ ordinal: 1, by: 'tree' });
    expect(await repeats('t9', 'binary 0')).toEqual({ ordinal: 0, by: 'identity' });
    expect(await repeats('t9', 'binary 9')).toBeUndefined();
    expect(await repeats('t9', null)).toBeUndefined();
  });

  it('leaves a history that the archive can be replayed from', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 3);
    await measure(store, campaign, 't0', aResult(-0.1));
    await generate(store, campaign, 1);
    await measure(store, campaign, 't1', aRefusal());
    await generate(store, campaign, 2);
    await measure(store, campaign, 't2', aResult(1e-300, 'binary 2'));
    await fail(store, campaign, 3);
    for (const [ordinal, outcome] of [
      [0, 'candidate'],
      [1, 'invalid'],
      [2, 'candidate'],
      [3, 'failed'],
    ] as const) {
      await putDescriptor(store.db, campaign, ordinal, Float32Array.of(ordinal, 0.1));
      await settle(store, campaign, ordinal, outcome);
    }
    expect(await history(store.db, campaign, 0)).toEqual([
      {
        ordinal: 0,
        settlement: 0,
        scores: { speed: -0.1 },
        intervals: { speed: [-1.1, 0.9] },
        identity: null,
        vector: Float32Array.of(0, 0.1),
      },
      {
        ordinal: 2,
        settlement: 2,
        scores: { speed: 1e-300 },
        intervals: { speed: [-1, 1] },
        identity: 'binary 2',
        vector: Float32Array.of(2, 0.1),
      },
    ]);
  });

  it('ranks valid candidates only, the earlier before an equal one', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 3);
    await measure(store, campaign, 't0', aResult(-10));
    await generate(store, campaign, 1);
    await measure(store, campaign, 't1', aRefusal());
    await generate(store, campaign, 2);
    await measure(store, campaign, 't2', aResult(-9));
    await generate(store, campaign, 3);
    await measure(store, campaign, 't3', aResult(-9));
    await settle(store, campaign, 0, 'candidate');
    await settle(store, campaign, 1, 'invalid');
    await settle(store, campaign, 2, 'candidate');
    await settle(store, campaign, 3, 'candidate');
    const rank = async (direction: 'maximize' | 'minimize') =>
      (await bestCandidates(store.db, campaign, { name: 'speed', direction }, 10)).map((best) => best.ordinal);
    expect(await rank('maximize')).toEqual([2, 3, 0]);
    expect(await rank('minimize')).toEqual([0, 2, 3]);
  });

  it('finds candidates by ordinal and by a prefix of the commit', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    await generate(store, campaign, 2);
    expect((await findCandidate(store.db, campaign, 2))?.commit).toBe('c2');
    expect(await findCandidate(store.db, campaign, 1)).toBeUndefined();
    expect([...(await candidatesOf(store.db, campaign, [0, 1, 2])).keys()].sort()).toEqual([0, 2]);
    await store.db.updateTable('candidates').set({ commit: 'abcdef12' }).where('ordinal', '=', 2).execute();
    expect((await candidatesByCommit(store.db, 'abcd')).map((row) => row.ordinal)).toEqual([2]);
    expect(await candidatesByCommit(store.db, 'abce')).toEqual([]);
    await expect(candidatesByCommit(store.db, '%')).rejects.toMatchObject({ code: 'usage' });
  });
});

describeDatabases('evaluations', (databases) => {
  it('are shared by equal trees and measured once', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 2);
    const key = { campaignId: campaign, tree: 'shared', split: 'train' } as const;
    const ask = (ordinal: number) =>
      store.db.transaction().execute((trx) => ensurePendingEvaluation(trx, key, { commit: `c${ordinal}`, ordinal }));
    expect([await ask(1), await ask(2)]).toEqual(['created', 'exists']);
    const claims = await Promise.all([claimEvaluation(store.db, key, BY), claimEvaluation(store.db, key, BY)]);
    expect(claims.filter((claim) => claim !== undefined).map((claim) => [claim.ordinal, claim.attempt])).toEqual([
      [1, 1],
    ]);
  });

  it('take nothing from a worker whose claim was lost', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    const key = { campaignId: campaign, tree: 't0', split: 'train' } as const;
    const slept = await claimEvaluation(store.db, key, BY);
    if (slept === undefined) throw new Error('not claimed');
    await store.db.transaction().execute((trx) => requeueEvaluation(trx, slept));
    const current = await claimEvaluation(store.db, key, BY);
    if (current === undefined) throw new Error('not claimed');
    const write = (claim: typeof slept, speed: number) =>
      store.db.transaction().execute((trx) => finishEvaluation(trx, claim, aResult(speed)));
    expect(await write(slept, 99)).toBe(false);
    expect(await write(current, 1)).toBe(true);
    expect(await write(current, 2)).toBe(false);
    expect(await findEvaluation(store.db, key)).toMatchObject({ state: 'done', attempt: 2, objectives: { speed: 1 } });
  });

  it('refuse numbers that are none', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 1);
    await expect(measure(store, campaign, 't0', aResult(Number.NaN))).rejects.toThrow(TypeError);
    expect(await findEvaluation(store.db, { campaignId: campaign, tree: 't0', split: 'train' })).toMatchObject({
      state: 'running',
    });
  });
});

describeDatabases('recovery', (databases) => {
  it('gives back what a dead process held, and shuts that process out', async () => {
    const store = await databases.open();
    const campaign = await aCampaign(store);
    await plan(store, campaign, 3);
    await generate(store, campaign, 1);
    const dead = await claimJob(store.db, campaign, 2, 'w');
    const evaluation = await claimEvaluation(store.db, { campaignId: campaign, tree: 't0', split: 'train' }, BY);
    if (dead === undefined || evaluation === undefined) throw new Error('not claimed');
    const expected = {
      jobs: [2, 3],
      evaluations: [
        { campaignId: campaign, tree: 't0', split: 'train' },
        { campaignId: campaign, tree: 't1', split: 'train' },
      ],
      trials: [],
    };
    const waiting = await unfinished(store.db, campaign);
    expect(waiting.jobs).toEqual([3]);
    expect(waiting.evaluations.map((key) => key.tree)).toEqual(['t1']);
    expect(await store.db.transaction().execute((trx) => reclaimUnfinished(trx, campaign, null))).toEqual(expected);
    expect((await claimJob(store.db, campaign, 2, 'w'))?.attempt).toBe(2);
    const late = store.db.transaction().execute((trx) => finishEvaluation(trx, evaluation, aResult(1)));
    expect(await late).toBe(false);
  });
});

async function settle(
  store: Store,
  campaign: number,
  ordinal: number,
  outcome: 'candidate' | 'invalid' | 'failed',
): Promise<number> {
  return store.db.transaction().execute((trx) => markSettled(trx, campaign, { ordinal, outcome }));
}

/** Completion is told by clocks, which count in milliseconds. */
async function nextMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await setImmediate();
}
