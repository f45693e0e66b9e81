import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileDifferences, objectiveDifferences, separation } from '../../../src/qd/index.ts';

describe('separation', () => {
  it('is 1 for anything that grows together, −1 against it', () => {
    const values = fc.uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 30 });
    fc.assert(
      fc.property(values, (distances) => {
        const pairs = Float64Array.from(distances);
        expect(separation(pairs, pairs.map(Math.sqrt))).toBeCloseTo(1, 12);
        expect(
          separation(
            pairs,
            pairs.map((x) => -(x ** 3)),
          ),
        ).toBeCloseTo(-1, 12);
      }),
    );
  });

  it('gives equal values the mean of their ranks', () => {
    // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2, 3: by hand 4.5 / √(4.5 · 5).
    expect(separation(Float64Array.of(1, 2, 2, 3), Float64Array.of(1, 2, 3, 4))).toBeCloseTo(4.5 / Math.sqrt(22.5), 12);
  });

  it('is no number when one side is constant, and refuses other pairs', () => {
    expect(separation(Float64Array.of(1, 1), Float64Array.of(1, 2))).toBeNaN();
    expect(() => separation(Float64Array.of(1), Float64Array.of(1, 2))).toThrow(RangeError);
  });
});

describe('differences between candidates', () => {
  it('by files: the share of those that only one of them changed', () => {
    const files = [['a', 'b'], ['b', 'c'], [], [], ['a', 'b']].map((paths) => new Set(paths));
    const expected = [2 / 3, 1, 1, 1, 1, 0, 0, 2 / 3, 1, 1];
    for (const [at, x] of fileDifferences(files).entries()) expect(x).toBeCloseTo(expected[at] ?? NaN, 12);
  });

  it('by an objective: how far apart', () => {
    expect([...objectiveDifferences([1, 4, 2])]).toEqual([3, 1, 2]);
  });
});
