import { describe, expect, it } from 'vitest';
import { compareByPrimary, orient } from '../../src/qd/index.ts';

const objectives = [
  { name: 'speed', direction: 'maximize', epsilon: 0 },
  { name: 'size', direction: 'minimize', epsilon: 0 },
] as const;

describe('orient', () => {
  it('turns values so that larger is better, in the order of the campaign', () => {
    expect(orient(objectives, { size: 3, speed: 2, other: 9 })).toEqual(Float64Array.of(2, -3));
    expect(orient(objectives, { size: 0, speed: 0 })).toEqual(Float64Array.of(0, 0)); // not -0
  });

  it('refuses what is missing or not finite', () => {
    expect(() => orient(objectives, { speed: 1 })).toThrow(RangeError);
    expect(() => orient(objectives, { speed: 1, size: Number.NaN })).toThrow(/size/);
  });
});

describe('compareByPrimary', () => {
  it('sorts the best primary first and leaves equals in place', () => {
    const points = [Float64Array.of(1, 9), Float64Array.of(2, 0), Float64Array.of(1, 10)];
    expect(
      points
        .map((point) => ({ point }))
        .sort(compareByPrimary)
        .map(({ point }) => point[1]),
    ).toEqual([0, 9, 10]);
  });
});
