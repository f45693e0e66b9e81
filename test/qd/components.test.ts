import { PCA } from 'ml-pca';
import { describe, expect, it } from 'vitest';
import { fitProjection, generatorFor, project } from '../../src/qd/index.ts';

/** Centred later; the variance falls with the column as `decay` says. */
function cloud(rows: number, length: number, decay: (column: number) => number): Float32Array[] {
  const rng = generatorFor({ seed: 7, island: 0, ordinal: rows, purpose: 'components' });
  return Array.from({ length: rows }, () =>
    Float32Array.from({ length }, (_, j) => 0.1 + (rng.unit() - 0.5) * decay(j)),
  );
}

const normalised = (vector: Float32Array): number[] => {
  const norm = Math.hypot(...vector);
  return [...vector].map((x) => (norm === 0 ? 0 : x / norm));
};

/** Whitened coordinates by ml-pca, each component's largest loading positive. */
function reference(vectors: readonly Float32Array[], count: number): number[][] {
  const rows = vectors.map(normalised);
  const pca = new PCA(rows);
  const scores = pca.predict(rows, { nComponents: count }).to2DArray();
  const factors = Array.from({ length: count }, (_, k) => {
    const largest = pca
      .getEigenvectors()
      .getColumn(k)
      .reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
    return Math.sign(largest) / (pca.getStandardDeviations()[k] ?? Number.NaN);
  });
  return scores.map((row) => row.map((score, k) => score * (factors[k] ?? Number.NaN)));
}

/** Sizes above which only the leading components are computed; ml-pca still decomposes them in a second. */
describe('the leading components of many rows and columns', () => {
  it.each([
    ['a falling spectrum', 160, 120, (j: number) => 1 / (1 + j)],
    ['more columns than rows', 120, 200, (j: number) => 0.97 ** j],
    ['hardly any structure', 150, 110, () => 1],
    ['one far ahead of the others', 200, 100, (j: number) => (j === 3 ? 100 : 0.01)],
  ])('equal those of ml-pca: %s', (_, rows, length, decay) => {
    const vectors = cloud(rows, length, decay);
    const projection = fitProjection(vectors, { dimensions: 3, clip: 1e6 });
    const expected = reference(vectors, 3);
    for (const [i, vector] of vectors.entries()) {
      for (const [k, x] of project(projection, vector).entries()) {
        expect(Math.abs((x * 2 - 1) * 1e6 - (expected[i]?.[k] ?? Number.NaN))).toBeLessThan(1e-8);
      }
    }
  });

  it('are as many as the data have, the others dropped', () => {
    const [a, b] = cloud(2, 300, () => 1);
    if (a === undefined || b === undefined) throw new Error('two directions');
    // On a circle: two components, however many rows.
    const plane = Array.from({ length: 200 }, (_, i) => a.map((x, j) => x * Math.cos(i) + (b[j] ?? 0) * Math.sin(i)));
    const projection = fitProjection(plane, { dimensions: 3, clip: 3 });
    // Single precision leaves noise of 1e-16 in the third; its share is below 1e-12.
    expect(projection.explained).toHaveLength(2);
    for (const vector of plane) expect(project(projection, vector)[2]).toBe(0.5);
  });

  it('are none when all rows are equal', () => {
    const same = Array.from({ length: 150 }, () => Float32Array.from({ length: 150 }, (_, j) => 1 + j));
    expect(fitProjection(same, { dimensions: 3, clip: 3 }).explained).toEqual([]);
  });

  it('are found among equals: four of the same variance', () => {
    const rows = Array.from({ length: 256 }, (_, i) =>
      Float32Array.from({ length: 128 }, (_, j) => (j === i % 4 ? (i % 8 < 4 ? 1 : -1) : 0)),
    );
    const { explained } = fitProjection(rows, { dimensions: 6, clip: 3 });
    expect(explained).toHaveLength(4);
    for (const share of explained) expect(share).toBeCloseTo(0.25, 12);
  });

  it('are the same each time', () => {
    const vectors = cloud(150, 140, () => 1);
    const settings = { dimensions: 3, clip: 3 };
    expect(fitProjection(vectors, settings)).toEqual(fitProjection(vectors, settings));
  });
});
