import type { Criterion } from '../config/index.ts';

/** One value per objective, in the order of the campaign, oriented: larger is better. The first is the primary. */
export type Point = Float64Array;

/**
 * Turns measured values into a point.
 * @throws RangeError when an objective is missing or not finite; the evaluator's door should have refused it.
 */
export function orient(objectives: readonly Criterion[], values: Readonly<Record<string, number>>): Point {
  return Float64Array.from(objectives, ({ name, direction }) => {
    const value = values[name];
    if (value === undefined || !Number.isFinite(value)) {
      throw new RangeError(`objective ${name} must be a finite number, got ${value}`);
    }
    return direction === 'maximize' ? value : 0 - value; // 0 - 0 is 0, where -0 would survive in what is stored
  });
}

/** For sorting: the better primary first; a stable sort then leaves equals in the order they came in. */
export function compareByPrimary(a: { readonly point: Point }, b: { readonly point: Point }): number {
  return (b.point[0] ?? 0) - (a.point[0] ?? 0);
}

/**
 * The lower end of an interval [low, high] of measured values, oriented like a point; null without one.
 */
export function lowerBound({ direction }: Criterion, interval: readonly [number, number] | undefined): number | null {
  if (interval === undefined) return null;
  return direction === 'maximize' ? interval[0] : 0 - interval[1];
}
