import fc from 'fast-check';
import { PCA } from 'ml-pca';
import { describe, expect, it } from 'vitest';
import { InfrastructureError } from '../../src/errors.ts';
import {
  decodeProjection,
  encodeProjection,
  fitProjection,
  generatorFor,
  type Projection,
  project,
} from '../../src/qd/index.ts';

const CLIP = 3;

/** `rows` vectors of `length`, the first axes spread most, so that components are well apart. */
function cloud(rows: number, length: number, seed = 1): Float32Array[] {
  const rng = generatorFor({ seed, island: 0, ordinal: rows, purpose: 'cloud' });
  return Array.from({ length: rows }, () =>
    Float32Array.from({ length }, (_, j) => (rng.unit() - 0.5) / (1 + j) + 0.2),
  );
}

/** Back from [0,1] to whitened coordinates. */
const whitened = (projection: Projection, vector: Float32Array): number[] =>
  [...project(projection, vector)].map((x) => (x * 2 - 1) * CLIP);

const normalised = (vector: Float32Array): number[] => {
  const norm = Math.hypot(...vector);
  return [...vector].map((x) => (norm === 0 ? 0 : x / norm));
};

const vectorsOf = (rows: fc.Arbitrary<number>) =>
  rows.chain((count) =>
    fc.array(
      fc
        .array(fc.integer({ min: -4, max: 4 }), { minLength: 5, maxLength: 5 })
        .map((values) => Float32Array.from(values)),
      { minLength: count, maxLength: count },
    ),
  );

describe('fitProjection', () => {
  it.each([
    ['few rows', 7, 20],
    ['many rows', 40, 6],
    ['a square', 8, 8],
  ])('equals plain ml-pca: %s', (_, rows, length) => {
    const vectors = cloud(rows, length);
    const projection = fitProjection(vectors, { dimensions: 3, clip: 1e6 });
    const pca = new PCA(vectors.map(normalised));
    const plain = pca.predict(vectors.map(normalised), { nComponents: 3 }).to2DArray();
    for (const [i, vector] of vectors.entries()) {
      const coordinates = [...project(projection, vector)].map((x) => (x * 2 - 1) * 1e6);
      for (const [k, z] of coordinates.entries()) {
        const loadings = pca.getEigenvectors().getColumn(k);
        const sign = Math.sign(loadings.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0));
        const expected = (sign * (plain[i]?.[k] ?? NaN)) / (pca.getStandardDeviations()[k] ?? NaN);
        expect(Math.abs(z - expected)).toBeLessThan(1e-8);
      }
    }
    for (const [k, share] of projection.explained.entries())
      expect(share).toBeCloseTo(pca.getExplainedVariance()[k] ?? NaN, 10);
  });

  it('whitens d + 1 points into a regular simplex, whatever the data', () => {
    const vectors = cloud(4, 16);
    const points = vectors.map((vector) => whitened(fitProjection(vectors, { dimensions: 3, clip: CLIP }), vector));
    for (const [i, a] of points.entries()) {
      expect(Math.hypot(...a)).toBeCloseTo(1.5, 9);
      for (const b of points.slice(i + 1))
        expect(Math.hypot(...a.map((x, k) => x - (b[k] ?? NaN)))).toBeCloseTo(Math.sqrt(6), 9);
    }
  });

  it('puts every vector into [0, 1], also with too few, equal or zero vectors', () => {
    const many = vectorsOf(fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(many, vectorsOf(fc.constant(3)), (fitted, others) => {
        const projection = fitProjection(fitted, { dimensions: 3, clip: CLIP });
        for (const vector of [...fitted, ...others]) {
          for (const x of project(projection, vector)) expect(x >= 0 && x <= 1).toBe(true);
        }
      }),
    );
  });

  it('drops components that are rounding noise: their coordinate is the middle', () => {
    const line = [-3, -1, 0.5, 2].map((t) => Float32Array.from([3, t, 0, 0, 0]));
    const flat = fitProjection(line, { dimensions: 3, clip: CLIP });
    expect(flat.explained.length).toBe(2); // points on a circle, after scaling to length 1
    for (const vector of line) expect(project(flat, vector)[2]).toBe(0.5);

    const same = Array.from({ length: 50 }, () => Float32Array.from([0.1, 0.7, 0.3]));
    const zero = Array.from({ length: 5 }, () => new Float32Array(3));
    for (const vectors of [same, zero, same.slice(0, 1)]) {
      const projection = fitProjection(vectors, { dimensions: 2, clip: CLIP });
      expect(projection.explained).toEqual([]);
      for (const vector of [...same, ...zero]) expect([...project(projection, vector)]).toEqual([0.5, 0.5]);
    }
  });

  it('still separates vectors as close as those of whole repositories', () => {
    const vectors = cloud(12, 8).map((noise) => Float32Array.from({ length: 8 }, (_, j) => 1 + 1e-5 * (noise[j] ?? 0)));
    const projection = fitProjection(vectors, { dimensions: 2, clip: CLIP });
    expect(projection.explained.length).toBe(2);
    expect(new Set(vectors.map((vector) => String(project(projection, vector)))).size).toBe(12);
  });

  it('refuses nothing at all, other lengths and numbers that are not finite', () => {
    const projection = fitProjection(cloud(5, 4), { dimensions: 2, clip: CLIP });
    expect(() => fitProjection([], { dimensions: 2, clip: CLIP })).toThrow(RangeError);
    expect(() => fitProjection([...cloud(2, 4), ...cloud(2, 5)], { dimensions: 2, clip: CLIP })).toThrow(RangeError);
    expect(() => project(projection, new Float32Array(5))).toThrow(RangeError);
    expect(() => project(projection, Float32Array.of(1, 2, 3, Number.NaN))).toThrow(RangeError);
    expect(() => project(projection, Float32Array.of(1, 2, 3, Infinity))).toThrow(RangeError);
  });
});

describe('the alignment of a refit', () => {
  const settings = { dimensions: 3, clip: CLIP };
  const all = cloud(40, 10, 2);
  const before = fitProjection(all.slice(0, 12), settings);
  const aligned = fitProjection(all, settings, before);
  const alone = fitProjection(all, settings);
  const drift = (projection: Projection) =>
    all.reduce((sum, vector) => {
      const [z, old] = [raw(projection, vector), raw(before, vector)];
      return sum + z.reduce((s, x, k) => s + (x - (old[k] ?? NaN)) ** 2, 0);
    }, 0);
  /** Unclipped, straight from the definition. */
  const raw = ({ mean, axes }: Projection, vector: Float32Array) =>
    axes.map((axis) => normalised(vector).reduce((z, x, j) => z + (axis[j] ?? NaN) * (x - (mean[j] ?? NaN)), 0));

  it('leaves a fit on the same vectors as it was', () => {
    const again = fitProjection(all, settings, alone);
    for (const vector of all) {
      for (const [k, z] of raw(again, vector).entries()) expect(z).toBeCloseTo(raw(alone, vector)[k] ?? NaN, 9);
    }
  });

  it('moves the common records less than the unaligned axes, or any turn of the aligned ones, would', () => {
    expect(drift(aligned)).toBeLessThan(drift(alone));
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      for (const angle of [-1, -0.01, 0.01, 1, Math.PI]) {
        const axes = aligned.axes.map((axis, k) =>
          axis.map((x, column) => {
            const [a, b] = [aligned.axes[i]?.[column] ?? NaN, aligned.axes[j]?.[column] ?? NaN];
            if (k === i) return a * Math.cos(angle) - b * Math.sin(angle);
            return k === j ? a * Math.sin(angle) + b * Math.cos(angle) : x;
          }),
        );
        expect(drift({ ...aligned, axes })).toBeGreaterThan(drift(aligned));
      }
    }
  });

  it('keeps distances, so whitened coordinates stay white', () => {
    for (const a of all) {
      for (const b of all) {
        const distance = (projection: Projection) =>
          Math.hypot(...raw(projection, a).map((x, k) => x - (raw(projection, b)[k] ?? NaN)));
        expect(distance(aligned)).toBeCloseTo(distance(alone), 9);
      }
    }
  });

  it('copes with an earlier epoch that had no or fewer components', () => {
    const flat = fitProjection(
      Array.from({ length: 3 }, () => Float32Array.from({ length: 10 }, () => 1)),
      settings,
    );
    const thin = fitProjection(all.slice(0, 2), settings);
    for (const previous of [flat, thin]) {
      const projection = fitProjection(all, settings, previous);
      const spread = all.map((vector) => Math.hypot(...raw(projection, vector)));
      for (const [i, vector] of all.entries()) expect(spread[i]).toBeCloseTo(Math.hypot(...raw(alone, vector)), 9);
    }
  });
});

describe('the stored form', () => {
  it('keeps every double', () => {
    const double = fc.double();
    const projections = fc.tuple(fc.nat(5), fc.nat(3)).chain(([length, dimensions]) => {
      const row = fc.array(double, { minLength: length, maxLength: length }).map((values) => Float64Array.from(values));
      return fc.record({
        clip: double,
        mean: row,
        axes: fc.array(row, { minLength: dimensions, maxLength: dimensions }),
        explained: fc.array(double, { maxLength: 3 }),
      });
    });
    fc.assert(
      fc.property(projections, (projection) => {
        expect(decodeProjection(encodeProjection(projection))).toEqual(projection);
        // A driver may hand over a view into a larger buffer.
        const padded = new Uint8Array([9, ...encodeProjection(projection), 9]);
        expect(decodeProjection(padded.subarray(1, -1))).toEqual(projection);
      }),
    );
  });

  it('refuses damaged bytes', () => {
    const bytes = encodeProjection(fitProjection(cloud(5, 4), { dimensions: 2, clip: CLIP }));
    for (const damaged of [
      new Uint8Array(0),
      bytes.subarray(0, -1),
      new Uint8Array([...bytes, 0]),
      bytes.map(() => 255),
    ]) {
      expect(() => decodeProjection(damaged)).toThrow(InfrastructureError);
    }
  });
});
