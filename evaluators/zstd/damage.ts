import { below, type Random } from './corpus/random.ts';
import type { Item } from './items.ts';

const LARGEST = 64 * 1024;
const WAYS = 8;

/** Frames with a few flipped bits, or cut off, of those that are small enough to be many. */
export function damage(frames: readonly Item[], next: Random): Item[] {
  return frames.flatMap(({ bytes, originalSize }) => {
    if (bytes === null || bytes.length > LARGEST) return [];
    return Array.from({ length: WAYS }, (_, way) => {
      if (way % 4 === 3) return { bytes: Buffer.from(bytes.subarray(0, below(next, bytes.length))), originalSize };
      const copy = Buffer.from(bytes);
      for (let flips = 1 + below(next, 4); flips > 0; flips -= 1) {
        // Half of them near the head, where the tables are.
        const at = below(next, flips % 2 === 0 ? copy.length : Math.min(copy.length, 64));
        copy[at] = (copy[at] ?? 0) ^ (1 << below(next, 8));
      }
      return { bytes: copy, originalSize };
    });
  });
}
