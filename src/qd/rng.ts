import { sha256 } from '@noble/hashes/sha2.js';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';

/** A stream of random choices; two generators of equal parts give equal streams, on every machine. */
export interface Rng {
  uint32(): number;
  /** In [0, 1), with 53 random bits. */
  unit(): number;
  /** An integer in [0, n) without modulo bias. @throws RangeError when n is not an integer in 1 … 2^53 − 1. */
  below(n: number): number;
  /** @throws RangeError when there is nothing to pick from. */
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy. */
  shuffle<T>(items: readonly T[]): T[];
}

export interface RngParts {
  readonly seed: number;
  readonly island: number;
  readonly ordinal: number;
  /** What the choices are for; different purposes of one job must not share a stream. */
  readonly purpose: string;
}

/**
 * The generator of one purpose of one job: the first 128 bits of the SHA-256 of its parts are the state of a xoroshiro128+.
 * @throws RangeError when a number among the parts is not a safe integer.
 */
export function generatorFor({ seed, island, ordinal, purpose }: RngParts): Rng {
  for (const [name, value] of Object.entries({ seed, island, ordinal })) {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${name} must be a safe integer, got ${value}`);
  }
  // The free text comes last, so that no two different parts have the same encoding.
  const digest = sha256(new TextEncoder().encode(`clade-rng-1\n${seed}\n${island}\n${ordinal}\n${purpose}`));
  const words = new DataView(digest.buffer, digest.byteOffset);
  const source = xoroshiro128plusFromState([0, 4, 8, 12].map((offset) => words.getInt32(offset)));

  function below(n: number): number {
    if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`below(n) needs a positive integer, got ${n}`);
    return uniformInt(source, 0, n - 1);
  }
  return {
    uint32: () => source.next() >>> 0,
    unit: () => uniformFloat64(source),
    below,
    pick: <T>(items: readonly T[]) => items[below(items.length)] as T,
    shuffle<T>(items: readonly T[]) {
      const rest = [...items];
      const shuffled: T[] = [];
      while (rest.length > 0) shuffled.push(...rest.splice(below(rest.length), 1));
      return shuffled;
    },
  };
}
