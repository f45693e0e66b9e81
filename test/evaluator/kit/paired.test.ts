import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/evaluator/kit/compare.ts';
import { measurePaired, type Order } from '../../../src/evaluator/kit/paired.ts';
import { pairedResult } from '../../../src/evaluator/kit/paired-result.ts';

/** A measurement whose log ratio in each round is as given. */
function giving(logRatio: (round: number) => number) {
  return async (round: number) => ({ root: Math.exp(logRatio(round)), candidate: 1 });
}

describe('measurePaired', () => {
  it('warms up, then alternates who is first', async () => {
    const calls: [number, Order][] = [];
    const { rounds, logRatios } = await measurePaired({
      warmup: 2,
      measure: async (round, order) => {
        calls.push([round, order]);
        return { root: round < 0 ? 1000 : 3, candidate: 2 };
      },
    });
    expect(rounds).toBe(12);
    expect(calls.map(([round]) => round)).toEqual([-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(calls.slice(2, 5).map(([, order]) => order)).toEqual(['root-first', 'candidate-first', 'root-first']);
    expect(logRatios).toEqual(Array(12).fill(Math.log(1.5)));
  });

  it('measures twelve rounds when they are precise, else up to sixteen', async () => {
    const rounds = async (precision: number, logRatio: (round: number) => number) =>
      (await measurePaired({ precision, measure: giving(logRatio) })).rounds;
    expect(await rounds(0.001, () => 0.01)).toBe(12);
    expect(await rounds(0.001, (round) => (round % 2 === 0 ? 1 : -1))).toBe(16);
    // Four ones and else zeros after winsorising: √(4 · 8/12 / 30) = 0.298, then √(4 · 9/13 / 42) = 0.257.
    expect(await rounds(0.26, (round) => (round >= 0 && round < 5 ? round : 0))).toBe(13);
  });

  it('without a gate measures what was planned, however noisy', async () => {
    const { rounds } = await measurePaired({ rounds: 20, measure: giving((round) => (round % 2 === 0 ? 1 : -1)) });
    expect(rounds).toBe(20);
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a duration of %s', async (candidate) => {
    await expect(measurePaired({ measure: async () => ({ root: 1, candidate }) })).rejects.toThrow(/candidate/);
  });

  it('refuses a plan that trimming leaves nothing of before anything is measured', async () => {
    const measure = async () => Promise.reject(new Error('measured'));
    await expect(measurePaired({ rounds: 7, measure })).rejects.toThrow(RangeError);
  });
});

describe('pairedResult', () => {
  const comparison = compare([0.01, 0.012, 0.008, 0.011, 0.009, 0.01, 0.01, 0.01]);

  it('gives a candidate its ratio, with the bounds as the interval', () => {
    const { objectives, intervals, metrics } = pairedResult('speed', comparison, false);
    expect(objectives).toEqual({ speed: comparison.ratio });
    expect(intervals).toEqual({ speed: [comparison.lower, comparison.upper] });
    expect(metrics).toMatchObject({ speed_standard_error: comparison.standardError, speed_rounds: 8 });
  });

  it('gives the root 1 without an interval to either side, and keeps its noise', () => {
    const { objectives, intervals, metrics, summary } = pairedResult('speed', comparison, true);
    expect(objectives).toEqual({ speed: 1 });
    expect(intervals).toEqual({ speed: [1, 1] });
    expect(metrics).toMatchObject({ speed_ratio: comparison.ratio, speed_lower: comparison.lower });
    expect(summary).toContain('+1.01 %');
  });
});
