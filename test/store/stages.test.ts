import { expect, it } from 'vitest';
import {
  claimEvaluation,
  listStages,
  recordStage,
  requeueEvaluation,
  type StageRecord,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { plan } from './life.ts';
import { aCampaign, BY } from './sample.ts';

const stage = (position: number, name: string): StageRecord => ({
  ...{ position, name, kind: 'build', status: 'passed', summary: 'a\0b', evidence: '' },
  ...{ objectives: { speed: 1 }, metrics: {}, stdoutTail: 'out', stderrTail: '' },
  ...{ durationMs: 1.5, isolation: 2, peakMemoryBytes: null },
});

describeDatabases('stages', (databases) => {
  it('are kept under the attempt that holds the evaluation, and by no other', async () => {
    const store = await databases.open();
    const campaignId = await aCampaign(store);
    await plan(store, campaignId, 0);
    const key = { campaignId, tree: 't0', split: 'train' } as const;
    const record = (claim: NonNullable<Awaited<ReturnType<typeof claimEvaluation>>>, record: StageRecord) =>
      store.db.transaction().execute((trx) => recordStage(trx, claim, record));

    const first = await claimEvaluation(store.db, key, BY);
    if (first === undefined) throw new Error('it cannot be claimed');
    expect(await record(first, stage(0, 'build'))).toBe(true);
    expect(await record(first, stage(1, 'test'))).toBe(true);
    await store.db.transaction().execute((trx) => requeueEvaluation(trx, first));
    // What a killed process came to is there until the next attempt has come to something.
    expect((await listStages(store.db, key)).map(({ name, attempt }) => [name, attempt])).toEqual([
      ['build', 1],
      ['test', 1],
    ]);
    const second = await claimEvaluation(store.db, key, BY);
    if (second === undefined) throw new Error('it cannot be claimed again');
    expect(await record(first, stage(2, 'late'))).toBe(false);
    expect(await record(second, stage(0, 'again'))).toBe(true);
    expect(await listStages(store.db, key)).toMatchObject([
      { name: 'again', attempt: 2, summary: 'a\uFFFDb', objectives: { speed: 1 }, durationMs: 1.5 },
    ]);
  });
});
