import { createHash } from 'node:crypto';
import { type Descriptor, needed } from './descriptor.ts';

/**
 * The control: eight numbers in [-1, 1) from a hash of the tree id. What a search gains with another descriptor and not with this
 * one, it gains by the descriptor.
 */
export const random = {
  kind: 'random',
  needs: ['tree'],
  describe(input) {
    const digest = createHash('sha256').update(needed(input, 'tree')).digest();
    return Float32Array.from({ length: 8 }, (_, index) => digest.readInt32BE(4 * index) / 2 ** 31);
  },
} as const satisfies Descriptor;
