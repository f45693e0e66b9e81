import { expect, test } from 'vitest';
import type { Campaign } from '../../../src/config/index.ts';
import { compared, readSeries, type SeriesView } from '../../../src/daemon/views/series.ts';
import { bestCandidates, getCampaign, listJobs, type TrialMeasurement } from '../../../src/store/index.ts';
import { campaignIn, temporary } from '../../pipeline/fixture.ts';
import { QUIET } from '../../store/sample.ts';
import { describeDatabases } from '../../support/databases.ts';
import { court, type Fate, type Fresh, live } from '../court.ts';

const made = (tree: number): Fate => ({ kind: 'made', tree });
const FAILED: Fate = { kind: 'failed', tree: 0 };
/** Trees 4 and 9 are refused by the evaluator, 3 and 9 have the identity of another. */
const JOBS = [made(2), FAILED, made(2), made(4), made(8), made(3), made(11), made(5), made(10)];

/** A second measurement is unlike the first. */
const fresh: Fresh = (ordinal): TrialMeasurement => {
  const speed = ordinal + 0.5;
  const kept = { ordinal, summary: '', identity: null, durationMs: 1, isolation: 0, machine: QUIET };
  return { ...kept, status: 'valid', objectives: { speed }, intervals: {}, scores: { speed } };
};

describeDatabases('the series of a campaign', (databases) => {
  async function lived(remeasure = { incumbent: false, jump: 0 }) {
    const store = await databases.open();
    const plain = await campaignIn(await temporary());
    const campaign: Campaign = { ...plain, evaluator: { ...plain.evaluator, remeasure } };
    const session = await court(store, campaign);
    await live(session, store, JOBS, [4, 2, 0, 1, 3, 5, 6, 7, 8], 2, { fresh });
    const row = await getCampaign(store.db, session.campaignId);
    const read = (after: number, limit: number): Promise<SeriesView> =>
      readSeries(store.db, row, campaign, { after, limit });
    return { store, session, read };
  }

  test('has every settled job with its outcome and what it ranks by', async () => {
    const { store, session, read } = await lived();
    const { ordinals, outcomes, outcomeNames, scores, low, high, settlement } = await read(-1, 100);
    const lines = await listJobs(store.db, session.campaignId, {}, { order: 'ascending', limit: 100 });
    const bySettlement = lines.sort((a, b) => (a.settlement ?? 0) - (b.settlement ?? 0));
    expect(settlement).toBe(0);
    expect(ordinals).toEqual(bySettlement.map(({ ordinal }) => ordinal));
    expect(outcomes.map((outcome) => outcomeNames[outcome])).toEqual(bySettlement.map(({ outcome }) => outcome));
    const own = bySettlement.map(({ outcome, scores: of }) => (outcome === 'candidate' ? (of?.speed ?? null) : null));
    expect(scores).toEqual(own);
    expect(new Set(outcomes).size).toBe(4);
    expect(low).toEqual(own.map((score) => (score === null ? null : score - 1)));
    expect(high).toEqual(own.map((score) => (score === null ? null : score + 1)));
  });

  test('goes by what trials made of the scores, so that its best is the best', async () => {
    const { store, session, read } = await lived({ incumbent: true, jump: 0 });
    const check = async (): Promise<Map<number, number | null>> => {
      const { ordinals, scores } = await read(-1, 100);
      const objective = { name: 'speed', direction: 'maximize' } as const;
      const ranked = await bestCandidates(store.db, session.campaignId, objective, 100);
      const series = new Map(ordinals.map((ordinal, index) => [ordinal, scores[index] ?? null]));
      expect(Math.max(...scores.filter((score) => score !== null))).toBe(ranked[0]?.scores.speed);
      const known = new Map(ranked.map((one) => [one.ordinal, one.scores.speed]));
      expect(series).toEqual(new Map(ordinals.map((ordinal) => [ordinal, known.get(ordinal) ?? null])));
      return series;
    };
    expect((await check()).get(9)).toBe(9.5);
    // As if the leader had failed when it was measured again after it was settled: it ranks by nothing.
    await store.db.updateTable('trials').set({ challengerScores: null }).where('challenger', '=', 9).execute();
    expect((await check()).get(9)).toBeNull();
  });

  test('comes in pages that make the whole', async () => {
    const { read } = await lived();
    const whole = await read(-1, 100);
    for (const limit of [1, 3, 10]) {
      const ordinals: number[] = [];
      for (;;) {
        const page = await read(ordinals.length - 1, limit);
        expect(page.settlement).toBe(ordinals.length);
        if (page.ordinals.length === 0) break;
        ordinals.push(...page.ordinals);
      }
      expect(ordinals).toEqual(whole.ordinals);
    }
    // The failed job comes third: a page of it alone has no interval.
    const failed = whole.outcomes.findIndex((outcome) => whole.outcomeNames[outcome] === 'failed');
    expect(await read(failed - 1, 1)).toMatchObject({ scores: [null], low: null, high: null });
  });
});

test.each([
  [1.234567891, 1.23457],
  [-0.000012345678, -0.0000123457],
  [0.1 + 0.2, 0.3],
  [123456, 123456],
  [1234567.8, 1234568],
  [12345678901.2, 12345678901],
  [1.23456789e20, 1.23457e20],
  [0, 0],
])('%d has the digits that people compare', (value, rounded) => {
  expect(compared(value)).toBe(rounded);
});
