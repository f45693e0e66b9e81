import { createHash } from 'node:crypto';

/** 32 random bits a call. */
export type Random = () => number;

/**
 * A generator that depends on all of `words` and nothing else: SHA-256 of them seeds sfc32 (Doty-Humphrey, PractRand), which
 * passes the usual tests and is fast enough for hundreds of megabytes.
 */
export function random(...words: readonly (string | number)[]): Random {
  const hash = createHash('sha256').update(JSON.stringify(words)).digest();
  let [a, b, c, counter] = [hash.readUInt32LE(0), hash.readUInt32LE(4), hash.readUInt32LE(8), hash.readUInt32LE(12)];
  return () => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  };
}

/** A whole number from 0 to n − 1. */
export function below(next: Random, n: number): number {
  return Math.floor((next() / 2 ** 32) * n);
}

/** A whole number from low to high, both included. */
export function between(next: Random, low: number, high: number): number {
  return low + below(next, high - low + 1);
}

/** A number from low to high. */
export function within(next: Random, low: number, high: number): number {
  return low + (next() / 2 ** 32) * (high - low);
}

/** From low to high, every factor as likely as another. */
export function logWithin(next: Random, low: number, high: number): number {
  return low * (high / low) ** (next() / 2 ** 32);
}

/** @throws RangeError when there is nothing to choose from */
export function choose<T>(next: Random, list: readonly T[]): T {
  const chosen = list[below(next, list.length)];
  if (chosen === undefined) throw new RangeError('an empty list has nothing to choose');
  return chosen;
}

const LOTS = 2 ** 14;

/** Draws from `list` where the item of rank k has a weight of 1/(k + 2)^exponent (Zipf, Mandelbrot). */
export function zipf<T>(list: readonly T[], exponent: number): (next: Random) => T {
  const weights = list.map((_, rank) => (rank + 2) ** -exponent);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  // A table of lots: one draw costs one look, whatever the length of the list.
  const lots: T[] = [];
  let sum = 0;
  for (const [rank, item] of list.entries()) {
    sum += weights[rank] ?? 0;
    while (lots.length < Math.round((sum / total) * LOTS)) lots.push(item);
  }
  return (next) => choose(next, lots);
}
