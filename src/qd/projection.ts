export interface ProjectionSettings {
  /** Number of coordinates d. */
  readonly dimensions: number;
  /** Whitened coordinates are clipped to ± this many standard deviations. */
  readonly clip: number;
}

/** A fitted map from descriptor vectors of one length to [0,1]^dimensions. */
export interface Projection {
  readonly clip: number;
  /** Mean of the normalised vectors it was fitted on. */
  readonly mean: Float64Array;
  /** One row per coordinate, as long as `mean`; whitened, and rotated onto the previous epoch. */
  readonly axes: readonly Float64Array[];
  /** Share of the total variance that each kept component explains, largest first; shorter than `axes` when degenerate. */
  readonly explained: readonly number[];
}

export function fitProjection(
  _vectors: readonly Float32Array[],
  _settings: ProjectionSettings,
  _previous: Projection | null = null,
): Projection {
  throw new Error('to be written');
}

/** The coordinates of a vector, each in [0, 1]. */
export function project(_projection: Projection, _vector: Float32Array): Float64Array {
  throw new Error('to be written');
}
