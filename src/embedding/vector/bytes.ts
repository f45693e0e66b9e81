/** Vectors as little-endian bytes, the form in which the store keeps them (`bytea`), the same on every machine. */

export function encodeFloat32(vector: Float32Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(vector.length * 4));
  vector.forEach((value, index) => {
    view.setFloat32(index * 4, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** @throws RangeError when `bytes` is no whole number of 4-byte values. */
export function decodeFloat32(bytes: Uint8Array): Float32Array {
  const view = viewOf(bytes, 4);
  const vector = new Float32Array(bytes.byteLength / 4);
  for (let index = 0; index < vector.length; index++) vector[index] = view.getFloat32(index * 4, true);
  return vector;
}

export function encodeFloat64(vector: Float64Array): Uint8Array {
  const view = new DataView(new ArrayBuffer(vector.length * 8));
  vector.forEach((value, index) => {
    view.setFloat64(index * 8, value, true);
  });
  return new Uint8Array(view.buffer);
}

/** @throws RangeError when `bytes` is no whole number of 8-byte values. */
export function decodeFloat64(bytes: Uint8Array): Float64Array {
  const view = viewOf(bytes, 8);
  const vector = new Float64Array(bytes.byteLength / 8);
  for (let index = 0; index < vector.length; index++) vector[index] = view.getFloat64(index * 8, true);
  return vector;
}

function viewOf(bytes: Uint8Array, width: number): DataView {
  if (bytes.byteLength % width !== 0) {
    throw new RangeError(`a vector of ${width}-byte values cannot have ${bytes.byteLength} bytes`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
