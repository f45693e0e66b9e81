import { PCA } from 'ml-pca';
import { describe, expect, it } from 'vitest';
import { effectiveRank, explainedVariance, generatorFor, participationRatio, spectrum } from '../../../src/qd/index.ts';

const cloud = (rows: number, length: number) => {
  const rng = generatorFor({ seed: 2, island: 0, ordinal: rows, purpose: 'spectrum' });
  return Array.from({ length: rows }, () => Float32Array.from({ length }, (_, j) => (rng.unit() - 0.4) / (1 + j)));
};

describe('the spectrum', () => {
  it.each([
    [20, 6],
    [6, 20],
    [130, 110],
  ])('of %i × %i holds the eigenvalues of ml-pca', (rows, length) => {
    const vectors = cloud(rows, length);
    const normalised = vectors.map((vector) => [...vector].map((x) => x / Math.hypot(...vector)));
    const expected = new PCA(normalised).getEigenvalues();
    const found = spectrum(vectors);
    for (const [k, variance] of found.entries()) expect(Math.abs(variance - (expected[k] ?? NaN))).toBeLessThan(1e-12);
    expect(found).toHaveLength(Math.min(rows, length));
  });

  it('is empty or zero where nothing varies', () => {
    expect(spectrum([])).toEqual([]);
    expect(spectrum([Float32Array.of(1, 2), Float32Array.of(2, 4)]).every((x) => x === 0)).toBe(true);
  });
});

describe('its summaries', () => {
  it('count equal components', () => {
    expect(participationRatio([2, 2, 2, 0])).toBeCloseTo(3, 12);
    expect(effectiveRank([2, 2, 2, 0])).toBeCloseTo(3, 12);
    expect(explainedVariance([2, 2, 2, 0], 2)).toBeCloseTo(2 / 3, 12);
  });

  it('are near 1 when one component has it all, whatever the scale', () => {
    expect(participationRatio([1e-9, 1e-15])).toBeCloseTo(1, 5);
    expect(effectiveRank([1e-9, 0])).toBe(1);
  });

  it('weigh unequal components as defined', () => {
    expect(participationRatio([3, 1])).toBeCloseTo(16 / 10, 12);
    expect(effectiveRank([3, 1])).toBeCloseTo(Math.exp(-(0.75 * Math.log(0.75) + 0.25 * Math.log(0.25))), 12);
  });

  it('are no numbers without variance', () => {
    for (const summary of [participationRatio, effectiveRank, (variances: number[]) => explainedVariance(variances, 3)])
      expect(summary([0, 0])).toBeNaN();
  });
});
