import { below, type Random } from './random.ts';

/** A block of the format has at most so many bytes. */
const BLOCK = 128 * 1024;

/** Inputs at which a coder may stumble: none, one byte, one byte again and again, periods, sizes around a block's. */
export function edgeCases(next: Random): Buffer[] {
  const bytes = (size: number, symbols: number): Buffer =>
    Buffer.from(Array.from({ length: size }, () => below(next, symbols)));
  const period = (length: number, size: number): Buffer => Buffer.alloc(size, bytes(length, 256));
  const sizes = [1, 2, 3, 7, 8, 15, 31, 64, 255, 256, 1_023, BLOCK - 1, BLOCK, BLOCK + 1];
  return [
    Buffer.alloc(0),
    ...sizes.map((size) => bytes(size, 1 + below(next, 256))),
    Buffer.alloc(3 * BLOCK),
    ...[2, 3, 5, 17, 1_000, BLOCK - 1].map((length) => period(length, 2 * BLOCK + below(next, 100))),
    Buffer.concat([bytes(40_000, 4), bytes(300, 256), Buffer.alloc(20_000, 32), bytes(70_000, 17)]),
  ];
}
