import { expect, it } from 'vitest';
import { readProposals } from '../../../src/daemon/views/proposals.ts';
import { getCampaign, planJobs } from '../../../src/store/index.ts';
import { fail, generate, plan } from '../../store/life.ts';
import { aCampaign } from '../../store/sample.ts';
import { describeDatabases } from '../../support/databases.ts';

describeDatabases('what was proposed', (databases) => {
  it('is told round by round, each from where it began, without seeds and what is not made yet', async () => {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    await plan(store, campaignId, 3);
    await generate(store, campaignId, 1);
    await fail(store, campaignId, 2);
    const child = { ordinal: 4, island: 0, base: 1, inspirations: [], decision: null, batch: 1 };
    const seed = { ...child, ordinal: 5 };
    await store.db.transaction().execute((trx) => planJobs(trx, campaignId, [child, seed]));
    await generate(store, campaignId, 4);
    await generate(store, campaignId, 5);
    const { db } = store;
    await db
      .updateTable('jobs')
      .set({ round: 2, plan: 'first this', transcript: 'x'.repeat(20_000) })
      .where('ordinal', '=', 4)
      .execute();
    await db.updateTable('jobs').set({ kind: 'seed' }).where('ordinal', '=', 5).execute();
    const revision = { campaignId, ordinal: 4, cause: 'rework' as const, reason: 'red', evidence: '', summary: '' };
    for (const round of [1, 0]) {
      const made = { commit: `r${round}`, tree: `s${round}`, title: `round ${round}`, transcript: `said ${round}` };
      await db
        .insertInto('revisions')
        .values({ ...revision, ...made, round })
        .execute();
    }

    const row = await getCampaign(db, campaignId);
    const { proposals, next } = await readProposals(db, row, { after: 0, limit: 100 });
    expect(next).toBeNull();
    const told = proposals.map(({ ordinal, round, base, start, made }) => [
      ordinal,
      round,
      base.tree,
      start.commit,
      made?.commit,
    ]);
    expect(told).toEqual([
      [1, 0, 't0', 'c0', 'c1'],
      [2, 0, 't0', 'c0', undefined],
      [4, 0, 't1', 'c1', 'r0'],
      [4, 1, 't1', 'r0', 'r1'],
      [4, 2, 't1', 'r1', 'c4'],
    ]);
    expect(proposals[1]?.outcome).toEqual({
      kind: 'failed',
      stage: 'generate',
      failure: 'timeout',
      detail: 'too slow',
    });
    expect(proposals[3]).toMatchObject({ title: 'round 1', transcript: 'said 1', outcome: { kind: 'finished' } });
    expect(proposals[4]).toMatchObject({ title: 'job 4', plan: 'first this', usage: { tokens: 12 } });
    expect(proposals[4]?.transcript.length).toBeLessThan(17_000);

    const page = await readProposals(db, row, { after: 0, limit: 2 });
    expect(page.next).toBe(2);
    expect((await readProposals(db, row, { after: 2, limit: 2 })).proposals.map(({ ordinal }) => ordinal)).toEqual([
      4, 4, 4,
    ]);
  });
});
