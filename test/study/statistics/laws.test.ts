import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bcaInterval, holm, pairedEffect, signFlip, subsetInterval } from '../../../src/study/index.ts';

const p = fc.double({ min: 0, max: 1, noNaN: true });
const difference = fc.integer({ min: -1000, max: 1000 }).map((value) => value / 1000);

describe('holm', () => {
  test('keeps the order, never lowers, and a single one stays', () => {
    fc.assert(
      fc.property(fc.array(p, { minLength: 1, maxLength: 12 }), (values) => {
        const adjusted = holm(values);
        for (const [index, value] of values.entries()) {
          expect(adjusted[index]).toBeGreaterThanOrEqual(value);
          expect(adjusted[index]).toBeLessThanOrEqual(1);
          for (const [other, against] of values.entries()) {
            if (value < against) expect(adjusted[index]).toBeLessThanOrEqual(adjusted[other] ?? 0);
          }
        }
      }),
    );
    expect(holm([0.03])).toEqual([0.03]);
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
  });

  test('refuses what is no p-value', () => {
    expect(() => holm([0.5, Number.NaN])).toThrow(RangeError);
    expect(() => holm([1.5])).toThrow(RangeError);
  });
});

describe('the sign-flip test', () => {
  test('agrees with a count that knows no Gray code, and does not mind order or sign', () => {
    fc.assert(
      fc.property(fc.array(difference, { minLength: 1, maxLength: 9 }), (values) => {
        const { p: found } = signFlip(values);
        const sums = Array.from({ length: 2 ** values.length }, (_, bits) =>
          values.reduce((sum, value, index) => sum + ((bits >> index) & 1 ? -value : value), 0),
        );
        const total = Math.abs(values.reduce((sum, value) => sum + value, 0));
        expect(found).toBe(sums.filter((sum) => Math.abs(sum) >= total - 1e-9).length / sums.length);
        expect(signFlip(values.toReversed()).p).toBe(found);
        expect(signFlip(values.map((value) => 0 - value)).p).toBe(found);
      }),
    );
  });

  test('refuses nothing and what is no number', () => {
    expect(() => signFlip([])).toThrow(RangeError);
    expect(() => signFlip([1, Number.NaN])).toThrow(RangeError);
  });
});

describe('intervals', () => {
  test('move with the values', () => {
    const values = [0.004, -0.001, 0.007, 0.002, 0.009, 0.003, 0.0055];
    const shifted = values.map((value) => value + 0.5);
    for (const interval of [bcaInterval, subsetInterval]) {
      const [here, there] = [interval(values), interval(shifted)];
      expect((there?.lower ?? 0) - (here?.lower ?? 0)).toBeCloseTo(0.5, 10);
      expect((there?.upper ?? 0) - (here?.upper ?? 0)).toBeCloseTo(0.5, 10);
    }
  });

  test('of equal values are that value', () => {
    expect(bcaInterval([0.25, 0.25, 0.25])).toMatchObject({ lower: 0.25, upper: 0.25 });
    expect(subsetInterval(Array.from({ length: 6 }, () => 0.25))).toMatchObject({ lower: 0.25, upper: 0.25 });
  });

  test('need enough values', () => {
    expect(() => bcaInterval([1])).toThrow(RangeError);
    expect(() => bcaInterval([1, Number.POSITIVE_INFINITY])).toThrow(RangeError);
    expect(subsetInterval([1, 2, 3, 4, 5])).toBeNull();
    expect(subsetInterval([1, 2, 3, 4, 5, 6])).not.toBeNull();
  });
});

describe('a paired effect', () => {
  test('is in per cent of the other arm', () => {
    const effect = pairedEffect([1.1, 1.1, 1.1], [1, 1, 1]);
    expect(effect.effectPercent).toBeCloseTo(10, 10);
    expect(effect).toMatchObject({ wins: 3, leaveOneOut: [expect.closeTo(10, 10), expect.closeTo(10, 10)] });
    expect(pairedEffect([1.1, 1], [1, 1]).leaveOneOut).toBeNull();
  });

  test('refuses blocks that cannot be paired', () => {
    expect(() => pairedEffect([1, 2], [1])).toThrow('2 blocks cannot be paired with 1');
    expect(() => pairedEffect([1, 0], [1, 1])).toThrow(RangeError);
    expect(() => pairedEffect([], [])).toThrow(RangeError);
  });
});
