import type { FitRequest, Fitted } from '../../qd/index.ts';

/**
 * A request as it crosses into the thread: all vectors in one buffer that changes hands. Thousands of separate arrays would be written out
 * one by one while the daemon waits, and an array that is a view into a larger buffer would take all of that with it.
 */
export interface Parcel extends Omit<FitRequest, 'vectors'> {
  readonly rows: number;
  /** rows × length, row by row. */
  readonly numbers: Float32Array<ArrayBuffer>;
}

/** The answer in the same way: coordinates are rows × dimensions. */
export interface Answer extends Omit<Fitted, 'coordinates'> {
  readonly coordinates: Float64Array<ArrayBuffer>;
}

/** @throws RangeError when the vectors have different lengths. */
export function packRequest({ vectors, ...rest }: FitRequest): Parcel {
  const length = vectors[0]?.length ?? 0;
  const numbers = new Float32Array(vectors.length * length);
  for (const [row, vector] of vectors.entries()) {
    if (vector.length !== length) throw new RangeError(`expected vectors of ${length} numbers, got ${vector.length}`);
    numbers.set(vector, row * length);
  }
  return { ...rest, rows: vectors.length, numbers };
}

export function unpackRequest({ rows, numbers, ...rest }: Parcel): FitRequest {
  return { ...rest, vectors: slices(rows, numbers) };
}

export function packAnswer({ projection, coordinates }: Fitted): Answer {
  const dimensions = coordinates[0]?.length ?? 0;
  const packed = new Float64Array(coordinates.length * dimensions);
  for (const [row, at] of coordinates.entries()) packed.set(at, row * dimensions);
  return { projection, coordinates: packed };
}

export function unpackAnswer(rows: number, { projection, coordinates }: Answer): Fitted {
  return { projection, coordinates: slices(rows, coordinates) };
}

function slices<Numbers extends Float32Array | Float64Array>(rows: number, numbers: Numbers): Numbers[] {
  const length = rows === 0 ? 0 : numbers.length / rows;
  return Array.from({ length: rows }, (_, row) => numbers.subarray(row * length, (row + 1) * length) as Numbers);
}
