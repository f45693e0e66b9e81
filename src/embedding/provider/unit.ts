/** The vector scaled to length 1; a zero vector stays zero. */
export function unitLength(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let index = 0; index < vector.length; index += 1) squares += (vector[index] ?? 0) ** 2;
  const scale = squares === 0 ? 0 : 1 / Math.sqrt(squares);
  const scaled = new Float32Array(vector.length);
  for (let index = 0; index < scaled.length; index += 1) scaled[index] = (vector[index] ?? 0) * scale;
  return scaled;
}
