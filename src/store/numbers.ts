/**
 * Vectors as bytes: little-endian, no header. Both directions copy, because a driver may hand out a slice of a larger buffer at an
 * odd offset, which a typed array cannot be laid over.
 */

export function bytesOf(vector: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).slice();
}

export function float32Of(bytes: Uint8Array): Float32Array {
  return new Float32Array(aligned(bytes, 4));
}

export function float64Of(bytes: Uint8Array): Float64Array {
  return new Float64Array(aligned(bytes, 8));
}

function aligned(bytes: Uint8Array, width: number): ArrayBuffer {
  if (bytes.byteLength % width !== 0) {
    throw new RangeError(`a vector of ${width}-byte numbers cannot have ${bytes.byteLength} bytes`);
  }
  const copy = new Uint8Array(bytes.byteLength);
  copy.set(bytes);
  return copy.buffer;
}
