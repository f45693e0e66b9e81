import { expect, it } from 'vitest';
import {
  beginTrial,
  bestCandidates,
  claimTrial,
  contestants,
  decidedTrials,
  decideTrial,
  type NewTrial,
  openTrial,
  reclaimUnfinished,
  recordTrial,
  requeueTrial,
  type Store,
  scoresOf,
  settledCandidates,
  type TrialMeasurement,
  type TrialVerdict,
  trialsOf,
  unfinished,
} from '../../src/store/index.ts';
import { describeDatabases } from '../support/databases.ts';
import { generate, measure, plan } from './life.ts';
import { aCampaign, aResult, BY, QUIET } from './sample.ts';

const SPEED = { name: 'speed', direction: 'maximize' } as const;

/** The root at 1 and jobs 1 to 3 at 2, 3 and 4, settled. */
async function settled(store: Store): Promise<number> {
  const campaign = await aCampaign(store);
  await plan(store, campaign, 3);
  await measure(store, campaign, 't0', aResult(1));
  for (const ordinal of [1, 2, 3]) {
    await generate(store, campaign, ordinal);
    await measure(store, campaign, `t${ordinal}`, aResult(ordinal + 1, `binary ${ordinal}`));
  }
  for (const ordinal of [0, 1, 2, 3]) {
    await store.db
      .updateTable('jobs')
      .set({ state: 'settled', outcome: 'candidate', settlement: ordinal })
      .where('ordinal', '=', ordinal)
      .execute();
  }
  return campaign;
}

function valid(ordinal: number, speed: number): TrialMeasurement {
  const kept = { ordinal, summary: '', identity: null, durationMs: 1, isolation: 0, machine: QUIET };
  return { ...kept, status: 'valid', objectives: { speed }, intervals: {}, scores: { speed } };
}

const begin = (store: Store, campaign: number, trial: NewTrial) =>
  store.db.transaction().execute((trx) => beginTrial(trx, campaign, trial));

async function conclude(store: Store, campaign: number, trial: NewTrial, verdict: TrialVerdict): Promise<void> {
  const { number } = await begin(store, campaign, trial);
  const claim = await claimTrial(store.db, { campaignId: campaign, trial: number }, BY);
  if (claim === undefined) throw new Error('not claimed');
  await store.db.transaction().execute(async (trx) => {
    await recordTrial(trx, claim, [valid(trial.challenger, 0)]);
    await decideTrial(trx, claim, verdict);
  });
}

describeDatabases('trials', (databases) => {
  it('are claimed once, written under the current attempt only, and given back until they are measured', async () => {
    const store = await databases.open();
    const campaign = await settled(store);
    const made = await begin(store, campaign, { cause: 'lead', challenger: 3, incumbent: 0 });
    expect(made).toMatchObject({ number: 0, settled: 4, state: 'pending', attempt: 0 });
    const key = { campaignId: campaign, trial: 0 };
    expect((await unfinished(store.db, campaign)).trials).toEqual([key]);

    const dead = await claimTrial(store.db, key, BY);
    if (dead === undefined) throw new Error('not claimed');
    expect(await claimTrial(store.db, key, BY)).toBeUndefined();
    const reclaimed = await store.db.transaction().execute((trx) => reclaimUnfinished(trx, campaign, null));
    expect(reclaimed.trials).toEqual([key]);
    const second = await claimTrial(store.db, key, BY);
    if (second === undefined) throw new Error('not claimed');
    expect(second.attempt).toBe(2);
    expect(await store.db.transaction().execute((trx) => recordTrial(trx, dead, []))).toBe(false);
    expect(await store.db.transaction().execute((trx) => requeueTrial(trx, dead))).toBe(false);
    expect(await store.db.transaction().execute((trx) => requeueTrial(trx, second))).toBe(true);

    const third = await claimTrial(store.db, key, BY);
    if (third === undefined) throw new Error('not claimed');
    const measured = [valid(3, 4), valid(0, 1)];
    await expect(
      store.db
        .transaction()
        .execute((trx) =>
          decideTrial(trx, third, { outcome: 'refuted', challengerScores: null, incumbentScores: null }),
        ),
    ).rejects.toThrow('it is not measured');
    expect(await store.db.transaction().execute((trx) => recordTrial(trx, third, measured))).toBe(true);
    expect(await store.db.transaction().execute((trx) => recordTrial(trx, third, []))).toBe(false);
    // Measured, it waits for its settlement and for no worker.
    expect((await store.db.transaction().execute((trx) => reclaimUnfinished(trx, campaign, null))).trials).toEqual([]);
    expect(await openTrial(store.db, campaign)).toMatchObject({ state: 'running', measurements: measured });
    const verdict = { outcome: 'confirmed', challengerScores: { speed: 4 }, incumbentScores: { speed: 1 } } as const;
    await store.db.transaction().execute((trx) => decideTrial(trx, third, verdict));
    expect(await openTrial(store.db, campaign)).toBeUndefined();
    expect(await decidedTrials(store.db, campaign)).toMatchObject([{ number: 0, retrial: true, ...verdict }]);
    await expect(begin(store, campaign, { cause: 'jump', challenger: 3, incumbent: null })).rejects.toThrow();
    const next = await begin(store, campaign, { cause: 'jump', challenger: 2, incumbent: null });
    expect(next.number).toBe(1);
  });

  it('say what candidates rank by: the latest verdict, else the first measurement; who failed ranks nowhere', async () => {
    const store = await databases.open();
    const campaign = await settled(store);
    const ranking = async () =>
      (await bestCandidates(store.db, campaign, SPEED, 9)).map(({ ordinal, objectives, scores }) => [
        ordinal,
        objectives.speed,
        scores.speed,
      ]);
    expect(await ranking()).toEqual([
      [3, 4, 4],
      [2, 3, 3],
      [1, 2, 2],
      [0, 1, 1],
    ]);
    await conclude(
      store,
      campaign,
      { cause: 'lead', challenger: 2, incumbent: 0 },
      { outcome: 'confirmed', challengerScores: { speed: 2.5 }, incumbentScores: { speed: 0.5 } },
    );
    await conclude(
      store,
      campaign,
      { cause: 'lead', challenger: 3, incumbent: 2 },
      { outcome: 'refuted', challengerScores: null, incumbentScores: { speed: 1.5 } },
    );
    expect(await ranking()).toEqual([
      [1, 2, 2],
      [2, 3, 1.5],
      [0, 1, 0.5],
    ]);
    expect((await settledCandidates(store.db, campaign)).map(({ ordinal }) => ordinal)).toEqual([0, 1, 2, 3]);
    expect(await scoresOf(store.db, campaign, 2)).toEqual({ speed: 1.5 });
    expect(await scoresOf(store.db, campaign, 1)).toEqual({ speed: 2 });
    expect(await scoresOf(store.db, campaign, 3)).toBeNull();
    expect((await trialsOf(store.db, campaign, 2)).map(({ number }) => number)).toEqual([0, 1]);
    expect((await trialsOf(store.db, campaign, 1)).map(({ number }) => number)).toEqual([]);
    expect(await contestants(store.db, campaign, [3, 0, 7])).toMatchObject([
      { ordinal: 0, settled: true, scores: { speed: 1 }, identity: null },
      { ordinal: 3, settled: true, scores: { speed: 4 }, identity: 'binary 3' },
    ]);
  });

  it('of another campaign change nothing here', async () => {
    const store = await databases.open();
    const campaign = await settled(store);
    const other = await aCampaign(store, 'other');
    await plan(store, other, 1);
    await conclude(
      store,
      other,
      { cause: 'jump', challenger: 1, incumbent: null },
      { outcome: 'refuted', challengerScores: { speed: -9 }, incumbentScores: null },
    );
    expect(await scoresOf(store.db, campaign, 1)).toEqual({ speed: 2 });
    expect(await decidedTrials(store.db, campaign)).toEqual([]);
  });
});
