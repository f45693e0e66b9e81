import { alignAxes } from './alignment.ts';
import { principalComponents } from './components.ts';
import { addScaled, combine, dot, unit } from './linear.ts';

export interface ProjectionSettings {
  /** Number of coordinates d. */
  readonly dimensions: number;
  /** Whitened coordinates are clipped to ± this many standard deviations. */
  readonly clip: number;
}

/** A fitted map from descriptor vectors of one length to [0,1]^d. */
export interface Projection {
  readonly clip: number;
  /** Mean of the normalised vectors it was fitted on. */
  readonly mean: Float64Array;
  /** One row per coordinate, as long as `mean`; whitened, and rotated onto the previous epoch's. */
  readonly axes: readonly Float64Array[];
  /** Share of the total variance of each component in use, largest first; fewer than `axes` when some are degenerate. */
  readonly explained: readonly number[];
}

/** A component with less of the total variance is rounding noise. */
export const LEAST_SHARE = 1e-12;
/**
 * And so is any component with less variance than this, were it all there is: normalised vectors have length 1, where doubles
 * err by about 1e-16 (1e-32 as a variance) and single-precision descriptors cannot differ by less than 1e-8 (1e-16).
 */
export const LEAST_VARIANCE = 1e-24;

/**
 * Fits a projection [Loreley, arXiv:2608.19703]: vectors scaled to length 1 and centred, principal components to
 * d dimensions, whitened (divided by the standard deviation); with a previous epoch, the axes are rotated onto its axes.
 * Degenerate components are dropped: their coordinate is the middle, 0.5.
 * @param vectors n ≥ 1 vectors of one length; zero vectors and equal vectors are fine
 * @throws RangeError when there are none, their lengths differ, or they hold something that is not finite.
 */
export function fitProjection(
  vectors: readonly Float32Array[],
  settings: ProjectionSettings,
  previous: Projection | null = null,
): Projection {
  const length = (previous?.mean ?? vectors[0])?.length;
  if (length === undefined) throw new RangeError('a projection needs at least one vector');
  const rows = vectors.map((vector) => normalise(vector, length));
  const mean = combine(new Float64Array(rows.length).fill(1 / rows.length), rows);
  const centred = rows.map((row) => row.map((x, j) => x - (mean[j] ?? 0)));

  const total =
    centred.reduce((sum, row) => sum + row.reduce((s, x) => s + x * x, 0), 0) / Math.max(1, rows.length - 1);
  const components = principalComponents(centred, settings.dimensions).filter(
    ({ variance }) => variance > Math.max(LEAST_SHARE * total, LEAST_VARIANCE),
  );
  const axes = Array.from({ length: settings.dimensions }, (_, k) => {
    const { variance, direction } = components[k] ?? { variance: 1, direction: new Float64Array(length) };
    return direction.map((x) => x / Math.sqrt(variance));
  });
  const projection = { clip: settings.clip, mean, axes, explained: components.map(({ variance }) => variance / total) };
  if (previous === null) return projection;
  const before = rows.map((row) => whitened(previous, row));
  const after = rows.map((row) => whitened(projection, row));
  return { ...projection, axes: alignAxes(axes, after, before) };
}

/**
 * The coordinates of a vector, each in [0, 1].
 * @throws RangeError when the vector has another length than those fitted on, or holds something that is not finite.
 */
export function project({ clip, mean, axes }: Projection, vector: Float32Array): Float64Array {
  const norm = checkedNorm(vector, mean.length);
  const scale = norm > 0 ? 1 / norm : 1;
  const coordinates = new Float64Array(axes.length);
  for (const [k, axis] of axes.entries()) {
    // Centred number by number: repository states differ in the sixth digit, and two long sums would lose them.
    let z = 0;
    for (let j = 0; j < mean.length; j++) z += (axis[j] ?? 0) * ((vector[j] ?? 0) * scale - (mean[j] ?? 0));
    coordinates[k] = (Math.min(Math.max(z, -clip), clip) + clip) / (2 * clip);
  }
  return coordinates;
}

function whitened({ mean, axes }: Projection, row: Float64Array): Float64Array {
  const centred = row.slice();
  addScaled(centred, -1, mean);
  return Float64Array.from(axes, (axis) => dot(axis, centred));
}

function normalise(vector: Float32Array, length: number): Float64Array {
  checkedNorm(vector, length);
  return unit(vector);
}

function checkedNorm(vector: Float32Array, length: number): number {
  if (vector.length !== length) throw new RangeError(`expected a vector of ${length} numbers, got ${vector.length}`);
  let squares = 0;
  for (let j = 0; j < length; j++) squares += (vector[j] ?? 0) ** 2;
  // Squares of single-precision numbers do not overflow in double precision, so this finds exactly what is not finite.
  if (!Number.isFinite(squares)) throw new RangeError('expected a vector of finite numbers');
  return Math.sqrt(squares);
}
