import type { FileHandle } from 'node:fs/promises';
import type { VectorCache } from '../../../src/embedding/index.ts';

/** Vectors in a file, as the product has them in a database: not in the memory that is measured. */
export function fileCache(file: FileHandle, dimensions: number): VectorCache {
  const bytes = dimensions * Float32Array.BYTES_PER_ELEMENT;
  const positions = new Map<string, number>();
  return {
    async get(keys) {
      const found = new Map<string, Float32Array>();
      for (const key of keys) {
        const position = positions.get(key);
        if (position === undefined) continue;
        const vector = new Float32Array(dimensions);
        await file.read(new Uint8Array(vector.buffer), 0, bytes, position);
        found.set(key, vector);
      }
      return found;
    },
    async put(entries) {
      const first = positions.size;
      const fresh = [...entries].filter(([key]) => !positions.has(key));
      const block = new Float32Array(fresh.length * dimensions);
      for (const [index, [key, vector]] of fresh.entries()) {
        block.set(vector, index * dimensions);
        positions.set(key, (first + index) * bytes);
      }
      await file.write(new Uint8Array(block.buffer), 0, block.byteLength, first * bytes);
    },
  };
}
