import type { Projection } from './projection.ts';

/** The bytes of a projection for storage; every double survives. */
export function encodeProjection(_projection: Projection): Uint8Array {
  throw new Error('to be written');
}

/** The inverse of `encodeProjection`. @throws InfrastructureError when the bytes are not a whole projection. */
export function decodeProjection(_bytes: Uint8Array): Projection {
  throw new Error('to be written');
}
