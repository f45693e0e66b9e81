import { InfrastructureError } from '../errors.ts';
import type { Projection } from './projection.ts';

const FORMAT = 1;
const HEADER_WORDS = 4;

/**
 * A projection as bytes for storage, little-endian, so that every double survives: four uint32 (format, length of a
 * vector, number of axes, number of components in use), then float64: clip, explained, mean, axes.
 */
export function encodeProjection({ clip, mean, axes, explained }: Projection): Uint8Array {
  const words = [FORMAT, mean.length, axes.length, explained.length];
  const doubles = [clip, ...explained, ...mean, ...axes.flatMap((axis) => [...axis])];
  const view = new DataView(new ArrayBuffer(4 * words.length + 8 * doubles.length));
  for (const [i, word] of words.entries()) view.setUint32(4 * i, word, true);
  for (const [i, double] of doubles.entries()) view.setFloat64(4 * words.length + 8 * i, double, true);
  return new Uint8Array(view.buffer);
}

/** The inverse of `encodeProjection`. @throws InfrastructureError when the bytes are not a whole projection. */
export function decodeProjection(bytes: Uint8Array): Projection {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length >= 4 * HEADER_WORDS;
  const [format, length, dimensions, used] = [0, 4, 8, 12].map((at) => (whole ? view.getUint32(at, true) : 0));
  if (format !== FORMAT || length === undefined || dimensions === undefined || used === undefined) {
    throw new InfrastructureError(`a stored projection of ${bytes.length} bytes has an unknown format`);
  }
  const expected = 4 * HEADER_WORDS + 8 * (1 + used + length + dimensions * length);
  if (bytes.length !== expected) {
    throw new InfrastructureError(`a stored projection has ${bytes.length} bytes instead of ${expected}`);
  }
  let at = 4 * HEADER_WORDS - 8;
  const next = (): number => {
    at += 8;
    return view.getFloat64(at, true);
  };
  const many = (count: number): Float64Array => Float64Array.from({ length: count }, next);
  return {
    clip: next(),
    explained: [...many(used)],
    mean: many(length),
    axes: Array.from({ length: dimensions }, () => many(length)),
  };
}
