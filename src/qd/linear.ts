/** The few operations on dense vectors that projections are made of, in plain loops: no callback per number. */

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] ?? 0) * (b[j] ?? 0);
  return sum;
}

/** target += weight · vector */
export function addScaled(target: Float64Array, weight: number, vector: Float64Array): void {
  for (let j = 0; j < target.length; j++) target[j] = (target[j] ?? 0) + weight * (vector[j] ?? 0);
}

/** Σ_i weights_i · rows_i */
export function combine(weights: ArrayLike<number>, rows: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(rows[0]?.length ?? 0);
  for (const [i, row] of rows.entries()) addScaled(sum, weights[i] ?? 0, row);
  return sum;
}

/** Scaled to length 1; the zero vector stays what it is. */
export function unit(vector: Float32Array | Float64Array): Float64Array {
  const scaled = new Float64Array(vector);
  const norm = Math.sqrt(dot(scaled, scaled));
  if (norm > 0) for (let j = 0; j < scaled.length; j++) scaled[j] = (scaled[j] ?? 0) / norm;
  return scaled;
}
