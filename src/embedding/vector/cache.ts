import type { EmbeddingProvider } from '../provider/provider.ts';

/**
 * File vectors by key, shared by all campaigns. Insert-only: `put` of a key that is there keeps the old vector, so that
 * everybody adds and subtracts the same one, even when two workers embedded a blob at once with a model that does not
 * answer twice alike.
 */
export interface VectorCache {
  /** The vectors that are there; a missing key is simply absent. */
  get(keys: readonly string[]): Promise<Map<string, Float32Array>>;
  put(entries: ReadonlyMap<string, Float32Array>): Promise<void>;
}

/** Changes with the rule of chunking, so that vectors made under an older rule are not mixed in. */
const CHUNK_RULE = 'c1';

/** The key of a blob's vector. The path is no part of it: the text alone decides the vector. */
export function cacheKey(provider: Pick<EmbeddingProvider, 'id'>, blob: string): string {
  return `${provider.id}/${CHUNK_RULE}/${blob}`;
}

/** A cache that lives as long as the process. */
export function memoryCache(): VectorCache {
  const vectors = new Map<string, Float32Array>();
  return {
    async get(keys) {
      const found = new Map<string, Float32Array>();
      for (const key of keys) {
        const vector = vectors.get(key);
        if (vector !== undefined) found.set(key, vector);
      }
      return found;
    },
    async put(entries) {
      for (const [key, vector] of entries) if (!vectors.has(key)) vectors.set(key, vector);
    },
  };
}
