import { describe, expect, it } from 'vitest';
import { compare } from '../../../src/evaluator/kit/compare.ts';
import { measurePaired } from '../../../src/evaluator/kit/paired.ts';
import { quantile } from '../../../src/evaluator/kit/student.ts';
import { randomSource } from './random.ts';

/** Twelve values in no order, whose middle six are 0.01 … 0.06. */
const TWELVE = [0.04, -9, 0.01, 9, 0.06, -8, 0.02, 8, 0.05, -7, 0.03, 7];

describe('compare', () => {
  it('leaves out three at each end and winsorises them for the error', () => {
    // Middle six: mean 0.035. Winsorised: four times 0.01 and 0.06, once 0.02 … 0.05, squares about the mean
    // 8 · 0.025² + 2 · 0.015² + 2 · 0.005² = 0.0055; standard error √(0.0055 / (6 · 5)); t(5) = 2.5706.
    const { rounds, estimate, ratio, standardError, lower, upper } = compare(TWELVE);
    expect(rounds).toBe(12);
    expect(estimate).toBeCloseTo(0.035, 12);
    expect(ratio).toBeCloseTo(Math.exp(0.035), 12);
    expect(standardError).toBeCloseTo(Math.sqrt(0.0055 / 30), 12);
    expect(Math.log(lower)).toBeCloseTo(0.035 - 2.5706 * Math.sqrt(0.0055 / 30), 12);
    expect(Math.log(upper)).toBeCloseTo(0.035 + 2.5706 * Math.sqrt(0.0055 / 30), 12);
  });

  it('without trimming is the mean, its standard error and Student’s interval', () => {
    const { estimate, standardError } = compare([0.1, 0.2, 0.3, 0.4], 0);
    expect(estimate).toBeCloseTo(0.25, 12);
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
    expect(() => compare(TWELVE, -1)).toThrow(RangeError);
  });

  it('knows the published quantiles beyond its table', () => {
    expect(quantile(1)).toBeCloseTo(12.7062, 4);
    expect([21, 30, 60, 120].map((degrees) => quantile(degrees).toFixed(4))).toEqual([
      '2.0796',
      '2.0423',
      '2.0003',
      '1.9799',
    ]);
  });
});

describe('the 95 % interval of 10,000 simulated measurements', () => {
  const random = randomSource(20260821);
  const noises = {
    normal: () => random.normal(),
    'heavy tails (t with 3 degrees)': () => random.student(3),
    'one round in ten ten times as noisy': () => random.normal() * (random.uniform() < 0.1 ? 10 : 1),
  };

  it.each(Object.entries(noises))('covers the truth in 92 to 98 %%: %s', async (_, noise) => {
    for (const precision of [null, 0.004]) {
      let covered = 0;
      for (let i = 0; i < 10_000; i += 1) {
        // What a round adds to both alike cancels; each has noise of its own.
        const measure = async () => {
          const both = random.normal();
          return { root: 1.01 * Math.exp(both + 0.01 * noise()), candidate: Math.exp(both + 0.01 * noise()) };
        };
        const { lower, upper } = await measurePaired({ precision, warmup: 0, measure });
        if (lower <= 1.01 && 1.01 <= upper) covered += 1;
      }
      expect(covered / 10_000, `precision ${precision}`).toBeGreaterThan(0.92);
      expect(covered / 10_000, `precision ${precision}`).toBeLessThan(0.98);
    }
  });
});
