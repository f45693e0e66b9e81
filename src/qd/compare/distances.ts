import { unit } from '../linear.ts';

/** A distribution by its order statistics; all NaN when there is nothing. */
export interface Distribution {
  readonly count: number;
  readonly min: number;
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
  readonly max: number;
}

/** The lower triangle of a symmetric matrix without its diagonal, row by row: (1,0), (2,0), (2,1), (3,0), … */
export type Pairs = Float64Array;

/**
 * 1 − cos of all pairs of n vectors, in [0, 2]; the published figure for repository means of Zstandard is a median of 3.22e-6
 * [Loreley, arXiv:2608.19703]. From |u − v|²/2 of unit vectors, since 1 − u·v would leave four digits of such a number.
 * The zero vector is at distance 0 from itself and 1 from everything else, being at a right angle to it. Takes n²·D steps.
 */
export function cosineDistances(vectors: readonly Float32Array[]): Pairs {
  const units = vectors.map(unit);
  const nothing = new Float64Array(0);
  return pairs(vectors.length, (i, j) => between(units[i] ?? nothing, units[j] ?? nothing));
}

/** The one of `others` that is nearest to `vector`, of several the first, with its distance; null when there are none. */
export function nearest<T extends { readonly vector: Float32Array }>(
  vector: Float32Array,
  others: readonly T[],
): { readonly other: T; readonly distance: number } | null {
  const own = unit(vector);
  let found: { other: T; distance: number } | null = null;
  for (const other of others) {
    const distance = between(own, unit(other.vector));
    if (found === null || distance < found.distance) found = { other, distance };
  }
  return found;
}

/** The distance of two vectors that have length 1 or 0. */
function between(u: Float64Array, v: Float64Array): number {
  const [nothing, also] = [isNothing(u), isNothing(v)];
  if (nothing || also) return nothing === also ? 0 : 1;
  let squares = 0;
  for (let k = 0; k < u.length; k++) squares += ((u[k] ?? 0) - (v[k] ?? 0)) ** 2;
  return squares / 2;
}

/** Most vectors show at their first number that they are none of it. */
function isNothing(vector: Float64Array): boolean {
  for (let k = 0; k < vector.length; k++) if (vector[k] !== 0) return false;
  return true;
}

/** The value of each pair i > j of n things. */
export function pairs(n: number, between: (i: number, j: number) => number): Pairs {
  const values = new Float64Array((n * (n - 1)) / 2);
  let at = 0;
  for (let i = 1; i < n; i++) for (let j = 0; j < i; j++) values[at++] = between(i, j);
  return values;
}

/** Quartiles by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996). */
export function distribution(values: Float64Array): Distribution {
  const sorted = values.toSorted();
  const quantile = (share: number): number => {
    const position = share * (sorted.length - 1);
    const low = sorted[Math.floor(position)] ?? Number.NaN;
    const high = sorted[Math.ceil(position)] ?? Number.NaN;
    return low + (high - low) * (position - Math.floor(position));
  };
  return {
    count: values.length,
    min: quantile(0),
    lower: quantile(0.25),
    median: quantile(0.5),
    upper: quantile(0.75),
    max: quantile(1),
  };
}
