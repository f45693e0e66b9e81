import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cosineDistances, distribution } from '../../../src/qd/index.ts';

const vectors = fc.array(
  fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 4, maxLength: 4 }).map((values) => Float32Array.from(values)),
  { maxLength: 12 },
);

describe('cosine distances', () => {
  it('are 1 − cos of every pair, in order', () => {
    fc.assert(
      fc.property(vectors, (all) => {
        const found = [...cosineDistances(all)];
        const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, x, j) => sum + x * (b[j] ?? NaN), 0);
        for (const [i, a] of all.entries()) {
          for (const b of all.slice(0, i)) {
            const norm = Math.sqrt(dot(a, a) * dot(b, b));
            const both = dot(a, a) === 0 && dot(b, b) === 0;
            expect(found.shift()).toBeCloseTo(norm > 0 ? 1 - dot(a, b) / norm : both ? 0 : 1, 12);
          }
        }
        expect(found).toEqual([]);
      }),
    );
  });

  it('keep their digits when vectors are as close as whole repositories', () => {
    const [distance] = cosineDistances([Float32Array.of(1, 0), Float32Array.of(1, 2e-6)]);
    expect(Math.abs((distance ?? NaN) / 2e-12 - 1)).toBeLessThan(1e-6);
  });
});

describe('a distribution', () => {
  it('has its order statistics', () => {
    expect(distribution(Float64Array.of(5, 1, 2, 4, 3))).toEqual({
      count: 5,
      min: 1,
      lower: 2,
      median: 3,
      upper: 4,
      max: 5,
    });
    expect(distribution(Float64Array.of(1, 2))).toEqual({
      count: 2,
      min: 1,
      lower: 1.25,
      median: 1.5,
      upper: 1.75,
      max: 2,
    });
  });

  it('is no number when there is nothing', () => {
    expect(distribution(new Float64Array(0))).toMatchObject({ count: 0, median: Number.NaN });
  });
});
