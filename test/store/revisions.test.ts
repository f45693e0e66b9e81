import { expect, it } from 'vitest';
import {
  claimJob,
  getJob,
  keepRetained,
  listRevisions,
  markSettled,
  pastOf,
  planJobs,
  putDescriptor,
  recordCandidate,
  recordPlan,
  recordStanding,
  retainedAt,
  type Store,
  sendBack,
  unfinished,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { generate, measure, plan, readyJobs } from './life.ts';
import { aCampaign, aCandidate, aRefusal, aResult, plans } from './sample.ts';

const WHY = { cause: 'rework', reason: 'build: it does not compile', evidence: 'line 7\0' } as const;

describeDatabases('a proposal that goes back to its coder', (databases) => {
  it('becomes a revision, and the job waits for its coder once more', async () => {
    const store = await refused(await databases.open());
    const { db } = store;
    expect(await back(store, 1, 0)).toBe(true);
    expect(await listRevisions(db, store.campaign, 1)).toEqual([
      {
        ...{ campaignId: store.campaign, ordinal: 1, round: 0, cause: 'rework', reason: WHY.reason },
        ...{ evidence: 'line 7\ufffd', commit: 'c1', tree: 't1', title: 'job 1', summary: '' },
        ...{ brief: 'the brief', transcript: 'the transcript', madeAt: expect.any(Date) },
      },
    ]);
    const { job, candidate } = await getJob(db, store.campaign, 1);
    expect(job).toMatchObject({ state: 'queued', round: 1, attempt: 1, outcome: null, finishedAt: null });
    // Whoever joins by ordinal sees one candidate, and a restart finds the work.
    expect(candidate?.commit).toBe('c1');
    expect(await unfinished(db, store.campaign)).toMatchObject({ jobs: [1, 2], evaluations: [] });
  });

  it('goes back once a round, and never when it is settled or at work', async () => {
    const store = await refused(await databases.open());
    expect(await back(store, 1, 1)).toBe(false);
    expect(await back(store, 1, 0)).toBe(true);
    expect(await back(store, 1, 0)).toBe(false);
    expect(await back(store, 1, 1)).toBe(false);
    await claimJob(store.db, store.campaign, 1, 'w');
    expect(await back(store, 1, 1)).toBe(false);
    expect(await listRevisions(store.db, store.campaign, 1)).toHaveLength(1);
  });

  it('is not settled while it waits, although its tree was measured', async () => {
    const store = await refused(await databases.open());
    const ready = async () => (await readyJobs(store, store.campaign, { order: 'done' })).map((job) => job.ordinal);
    expect(await ready()).toEqual([1]);
    await back(store, 1, 0);
    expect(await ready()).toEqual([]);
    await claimJob(store.db, store.campaign, 1, 'w');
    expect(await ready()).toEqual([]);
  });

  it('gives way to the candidate of the next round', async () => {
    const store = await refused(await databases.open());
    await back(store, 1, 0);
    await remake(store, 1, { ...aCandidate(1, 't8'), commit: 'c8' });
    const { job, candidate } = await getJob(store.db, store.campaign, 1);
    expect(job).toMatchObject({ state: 'generated', round: 1, attempt: 2 });
    expect(candidate).toMatchObject({ commit: 'c8', tree: 't8' });
    expect(await back(store, 1, 1)).toBe(true);
    expect((await listRevisions(store.db, store.campaign, 1)).map(({ round, tree }) => [round, tree])).toEqual([
      [0, 't1'],
      [1, 't8'],
    ]);
  });

  it('stands when the next round makes nothing', async () => {
    const store = await refused(await databases.open());
    await back(store, 1, 0);
    const claim = await claimJob(store.db, store.campaign, 1, 'w');
    if (claim === undefined) throw new Error('job 1 cannot be claimed');
    const stand = (attempt: number) =>
      store.db
        .transaction()
        .execute((trx) =>
          recordStanding(
            trx,
            { ...claim, attempt },
            { brief: 'again', transcript: 'no idea', plan: null, usage: null },
          ),
        );
    expect(await stand(claim.attempt - 1)).toBe(false);
    expect(await stand(claim.attempt)).toBe(true);
    const { job, candidate } = await getJob(store.db, store.campaign, 1);
    expect(job).toMatchObject({ state: 'generated', title: 'job 1', brief: 'again', transcript: 'no idea' });
    expect(candidate?.tree).toBe('t1');
    expect((await readyJobs(store, store.campaign, { order: 'ordinal' })).map(({ ordinal }) => ordinal)).toEqual([1]);
  });

  it('has a past: how often, whether it stands, whether it repeats what was settled before its batch', async () => {
    const store = await refused(await databases.open());
    const past = (tree: string, before: number, cause: 'rework' | 'novelty' = 'rework') =>
      pastOf(store.db, { campaignId: store.campaign, ordinal: 1, tree, before }, cause);
    expect(await past('t1', 1)).toEqual({ reworked: 0, stands: false, repeats: false });
    await back(store, 1, 0);
    expect(await past('t1', 1)).toEqual({ reworked: 1, stands: true, repeats: false });
    expect(await past('t9', 1)).toEqual({ reworked: 1, stands: false, repeats: false });
    expect(await past('t1', 1, 'novelty')).toEqual({ reworked: 0, stands: false, repeats: false });
    expect(await past('t0', 1)).toMatchObject({ repeats: true });
    // Job 1 has the tree and comes before, but is not settled.
    await generate(store, store.campaign, 2, 't1');
    const second = { campaignId: store.campaign, ordinal: 2, tree: 't1', before: 2 };
    expect(await pastOf(store.db, second, 'rework')).toMatchObject({ repeats: false });
  });
});

describeDatabases('a plan', (databases) => {
  it('is kept as soon as it is there, under the claim', async () => {
    const { db, campaign } = await refused(await databases.open());
    const claim = await claimJob(db, campaign, 2, 'w');
    if (claim === undefined) throw new Error('job 2 cannot be claimed');
    const told = { plan: 'first this', transcript: 'hm', usage: { inputTokens: 1, outputTokens: 2, costUsd: null } };
    expect(await recordPlan(db, { ...claim, attempt: claim.attempt - 1 }, { ...told, plan: 'late' })).toBe(false);
    expect(await recordPlan(db, claim, told)).toBe(true);
    expect((await getJob(db, campaign, 2)).job).toMatchObject({ ...told, state: 'generating' });
  });
});

describeDatabases('what was retained', (databases) => {
  it('is read as it was when the batch was planned, and forgotten with its batch', async () => {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    const { db } = store;
    await plan(store, campaignId, 2);
    for (const ordinal of [0, 1, 2]) await putDescriptor(db, campaignId, ordinal, Float32Array.of(ordinal, 1));
    const keep = (batch: number, islands: number[][]) =>
      db.transaction().execute((trx) => keepRetained(trx, { campaignId, batch }, islands));
    const at = async (batch: number, island = 0) =>
      (await retainedAt(db, { campaignId, island, batch })).map(({ ordinal, vector }) => [ordinal, vector[0]]);
    await keep(0, [[2, 0], [1]]);
    expect(await at(0)).toEqual([
      [0, 0],
      [2, 2],
    ]);
    expect(await at(0, 1)).toEqual([[1, 1]]);
    expect(await at(7)).toEqual([]);
    // Jobs 1 and 2 of batch 0 are not settled: theirs stays.
    await keep(3, [[], []]);
    expect(await at(0)).toHaveLength(2);
    await settle(store, campaignId, 0, 't0');
    for (const ordinal of [1, 2]) {
      await generate(store, campaignId, ordinal);
      await settle(store, campaignId, ordinal, `t${ordinal}`);
    }
    await db.transaction().execute((trx) =>
      planJobs(
        trx,
        campaignId,
        plans(3, 3).map((job) => ({ ...job, batch: 5 })),
      ),
    );
    await keep(5, [[0], []]);
    expect(await at(0)).toEqual([]);
    expect(await at(5)).toEqual([[0, 0]]);
  });
});

/** The root settled, job 1 refused, job 2 waiting. */
async function refused(store: Store): Promise<Store & { readonly campaign: number }> {
  const campaign = await aCampaign(store);
  await plan(store, campaign, 2);
  await settle(store, campaign, 0, 't0');
  await generate(store, campaign, 1);
  await measure(store, campaign, 't1', aRefusal());
  return { ...store, campaign };
}

async function settle(store: Store, campaignId: number, ordinal: number, tree: string): Promise<void> {
  await measure(store, campaignId, tree, aResult(1));
  await store.db.transaction().execute((trx) => markSettled(trx, campaignId, { ordinal, outcome: 'candidate' }));
}

function back({ db, campaign }: Store & { campaign: number }, ordinal: number, round: number): Promise<boolean> {
  return db.transaction().execute((trx) => sendBack(trx, { campaignId: campaign, ordinal, round }, WHY));
}

async function remake(
  { db, campaign }: Store & { campaign: number },
  ordinal: number,
  candidate: ReturnType<typeof aCandidate>,
): Promise<void> {
  const claim = await claimJob(db, campaign, ordinal, 'w');
  if (claim === undefined) throw new Error(`job ${ordinal} cannot be claimed`);
  await db.transaction().execute((trx) => recordCandidate(trx, claim, candidate));
}
