import { describe, expect, test } from 'vitest';
import type { ValidEvaluation } from '../../src/evaluator/index.ts';
import { noiseOf } from '../../src/pipeline/index.ts';
import { studentQuantile } from '../../src/pipeline/noise.ts';
import { generatorFor, type Rng } from '../../src/qd/index.ts';

const speed = (epsilon: number) => [{ name: 'speed', direction: 'maximize', epsilon }] as const;

function measured(value: number, more: Partial<ValidEvaluation> = {}): ValidEvaluation {
  const told = { identity: null, metrics: {}, features: {}, summary: '', evidence: '' };
  return { status: 'valid', objectives: { speed: value }, scores: { speed: value }, intervals: {}, ...told, ...more };
}

/** One of the two of Box and Muller. */
const normal = (rng: Rng): number => Math.sqrt(-2 * Math.log(1 - rng.unit())) * Math.cos(2 * Math.PI * rng.unit());

describe('the noise floor', () => {
  test('is t·√2·s without intervals, and the least sensible ε is not below it', () => {
    const [noise] = noiseOf(
      speed(0.01),
      [0.99, 1.01, 1, 1.02, 0.98].map((value) => measured(value)),
    );
    const deviation = Math.sqrt(0.001 / 4);
    expect(noise?.deviation).toBeCloseTo(deviation, 12);
    expect(noise?.floor).toBeCloseTo(2.77645 * Math.SQRT2 * deviation, 12);
    expect(noise).toMatchObject({ halfWidth: null, epsilon: 0.01, sensible: false, supported: 0.063 });
    const [raised] = noiseOf(
      speed(0.063),
      [0.99, 1.01, 1, 1.02, 0.98].map((value) => measured(value)),
    );
    expect(raised?.sensible).toBe(true);
  });

  test('is that of the intervals where they are wider', () => {
    const [noise] = noiseOf(speed(0.5), [
      measured(1, { intervals: { speed: [0.5, 1.5] } }),
      measured(1, { intervals: { speed: [0.9, 1.3] } }),
    ]);
    expect(noise?.deviation).toBe(0);
    expect(noise?.halfWidth).toBeCloseTo(0.35, 12);
    expect(noise?.floor).toBeCloseTo(0.35 * Math.SQRT2, 12);
    expect(noise?.sensible).toBe(true);
  });

  test('of a paired evaluator, whose root is 1 by definition, is that of the ratios in the metrics', () => {
    const paired = (ratio: number, half: number) =>
      measured(1, {
        intervals: { speed: [1, 1] },
        metrics: { speed_ratio: ratio, speed_lower: ratio - half, speed_upper: ratio + half },
      });
    const [noise] = noiseOf(speed(0), [paired(1.01, 0.02), paired(0.99, 0.04)]);
    expect(noise?.values).toEqual([1.01, 0.99]);
    expect(noise?.halfWidth).toBeCloseTo(0.03, 12);
    expect(noise?.floor).toBeCloseTo(12.7062 * Math.SQRT2 * Math.sqrt(0.0002), 9);
    expect(noise?.sensible).toBe(false);
  });

  test('is 0 for what is always the same, which supports any ε; tenths have no spread of rounding', () => {
    const [noise] = noiseOf(
      speed(0),
      [0.1, 0.1, 0.1, 0.1, 0.1].map((value) => measured(value)),
    );
    expect(noise).toMatchObject({ floor: 0, sensible: true, supported: 0 });
  });

  test('is rounded up to two digits, whatever its size', () => {
    for (const size of [1e-7, 0.003, 1, 40, 123_456]) {
      const [noise] = noiseOf(speed(0), [measured(0), measured(size)]);
      if (noise === undefined) throw new Error('no objective');
      expect(noise.supported).toBeGreaterThanOrEqual(noise.floor);
      expect(noise.supported).toBeLessThan(noise.floor * 1.1);
      expect(String(noise.supported).replace(/e.*|[.0]/g, '').length).toBeLessThanOrEqual(2);
    }
  });

  test('needs two measurements', () => {
    expect(() => noiseOf(speed(0), [measured(1)])).toThrow('at least 2');
  });

  test('holds the difference of two more measurements in 95 of 100 cases', () => {
    const rng = generatorFor({ seed: 1, island: 0, ordinal: 0, purpose: 'noise' });
    const cases = 8000;
    let held = 0;
    for (let one = 0; one < cases; one += 1) {
      const [noise] = noiseOf(
        speed(0),
        Array.from({ length: 5 }, () => measured(100 + normal(rng))),
      );
      if (Math.abs(normal(rng) - normal(rng)) <= (noise?.floor ?? 0)) held += 1;
    }
    // Three standard errors.
    expect(Math.abs(held / cases - 0.95)).toBeLessThan(3 * Math.sqrt((0.95 * 0.05) / cases));
  });
});

test('quantiles of Student’s t are those of the tables', () => {
  const known: [number, number][] = [
    [1, 12.706],
    [4, 2.776],
    [10, 2.228],
    [11, 2.201],
    [20, 2.086],
    [30, 2.042],
    [120, 1.98],
  ];
  for (const [degrees, quantile] of known) expect(studentQuantile(degrees)).toBeCloseTo(quantile, 3);
});
