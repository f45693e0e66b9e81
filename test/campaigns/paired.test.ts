import { describe, expect, it } from 'vitest';
import { compare, measureRounds } from '../../campaigns/markdown-it/paired.mjs';

/** Twelve values in no order, whose middle six are 0.01 … 0.06. */
const TWELVE = [0.04, -9, 0.01, 9, 0.06, -8, 0.02, 8, 0.05, -7, 0.03, 7];

describe('paired comparison', () => {
  it('leaves out three at each end and winsorises them for the error', () => {
    // Middle six: mean 0.035. Winsorised: four times 0.01 and 0.06, once 0.02 … 0.05, squares about the mean
    // 8 · 0.025² + 2 · 0.015² + 2 · 0.005² = 0.0055; standard error √(0.0055 / (6 · 5)); t(5) = 2.571.
    const { rounds, ratio, standardError, lower, upper } = compare(TWELVE);
    expect(rounds).toBe(12);
    expect(Math.log(ratio)).toBeCloseTo(0.035, 12);
    expect(standardError).toBeCloseTo(Math.sqrt(0.0055 / 30), 12);
    expect(Math.log(lower)).toBeCloseTo(0.035 - 2.571 * Math.sqrt(0.0055 / 30), 12);
    expect(Math.log(upper)).toBeCloseTo(0.035 + 2.571 * Math.sqrt(0.0055 / 30), 12);
  });

  it('without trimming is the mean, its standard error and Student’s interval', () => {
    const { ratio, standardError } = compare([0.1, 0.2, 0.3, 0.4], 0);
    expect(Math.log(ratio)).toBeCloseTo(0.25, 12);
    expect(standardError).toBeCloseTo(Math.sqrt(0.05 / 3 / 4), 12);
  });

  it('turns round when the versions change places', () => {
    const there = compare(TWELVE);
    const back = compare(TWELVE.map((value) => -value));
    expect(back.lower).toBeCloseTo(1 / there.upper, 12);
    expect(back.standardError).toBeCloseTo(there.standardError, 12);
  });

  it('refuses too few rounds and values that are not finite', () => {
    expect(() => compare([1, 2, 3, 4, 5, 6, 7])).toThrow(RangeError);
    expect(() => compare([...TWELVE.slice(1), Number.NaN])).toThrow(RangeError);
  });

  it('measures twelve rounds when they are precise, else up to sixteen', async () => {
    const exactly = await measureRounds(async () => 0.01, 0.001);
    expect(exactly.rounds).toBe(12);
    const noisy = await measureRounds(async (round) => (round % 2 === 0 ? 1 : -1), 0.001);
    expect(noisy.rounds).toBe(16);
    // Four ones and else zeros after winsorising: √(4 · 8/12 / 30) = 0.298, then √(4 · 9/13 / 42) = 0.257.
    const settling = await measureRounds(async (round) => (round < 5 ? round : 0), 0.26);
    expect(settling.rounds).toBe(13);
  });
});
