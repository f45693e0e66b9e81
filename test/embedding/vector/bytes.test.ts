import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFloat32, decodeFloat64, encodeFloat32, encodeFloat64 } from '../../../src/embedding/index.ts';

describe('vectors as bytes', () => {
  it('come back to the bit, wherever in a buffer they lie', () => {
    fc.assert(
      fc.property(fc.float32Array(), fc.float64Array(), fc.integer({ min: 0, max: 9 }), (small, large, offset) => {
        const shifted = (bytes: Uint8Array) => Buffer.concat([Buffer.alloc(offset), bytes]).subarray(offset);
        expect(decodeFloat32(shifted(encodeFloat32(small)))).toEqual(small);
        expect(decodeFloat64(shifted(encodeFloat64(large)))).toEqual(large);
      }),
    );
  });

  it('are little-endian', () => {
    expect([...encodeFloat32(Float32Array.of(1))]).toEqual([0, 0, 0x80, 0x3f]);
    expect([...encodeFloat64(Float64Array.of(1))]).toEqual([0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
  });

  it('refuse a broken length', () => {
    expect(() => decodeFloat32(new Uint8Array(7))).toThrow(RangeError);
    expect(() => decodeFloat64(new Uint8Array(12))).toThrow(RangeError);
  });
});
