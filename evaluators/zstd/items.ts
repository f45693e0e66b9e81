import { readFileSync, writeFileSync } from 'node:fs';

/**
 * Files of items, as driver.c reads and writes them: a count, then (size, original size) of each item, then their bytes; all
 * numbers 32 bits little-endian.
 */

/** The size of an item that the library called an error. */
const FAILED = 0xffffffff;

export interface Item {
  /** null: the library gave an error. */
  readonly bytes: Buffer | null;
  /** Of a frame: what it must decode to. */
  readonly originalSize: number;
}

/** @param items of which none is null */
export function writeItems(path: string, items: readonly Item[]): void {
  const head = Buffer.alloc(4 + 8 * items.length);
  head.writeUInt32LE(items.length, 0);
  for (const [i, { bytes, originalSize }] of items.entries()) {
    head.writeUInt32LE(bytes?.length ?? 0, 4 + 8 * i);
    head.writeUInt32LE(originalSize, 8 + 8 * i);
  }
  writeFileSync(path, Buffer.concat([head, ...items.map(({ bytes }) => bytes ?? Buffer.alloc(0))]));
}

/** Texts as items to compress. */
export function writeTexts(path: string, texts: readonly Buffer[]): void {
  writeItems(
    path,
    texts.map((bytes) => ({ bytes, originalSize: bytes.length })),
  );
}

/** @throws RangeError when the file is not one of items */
export function readItems(path: string): Item[] {
  const file = readFileSync(path);
  const count = file.readUInt32LE(0);
  let at = 4 + 8 * count;
  const items = Array.from({ length: count }, (_, i): Item => {
    const size = file.readUInt32LE(4 + 8 * i);
    const originalSize = file.readUInt32LE(8 + 8 * i);
    if (size === FAILED) return { bytes: null, originalSize };
    at += size;
    return { bytes: file.subarray(at - size, at), originalSize };
  });
  if (at !== file.length) throw new RangeError(`${path} has ${file.length} bytes, not ${at}`);
  return items;
}

/** The bytes of all items that are not errors. */
export function sizeOf(items: readonly Item[]): number {
  return items.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0);
}
