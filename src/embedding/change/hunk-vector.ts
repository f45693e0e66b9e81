import { createHash } from 'node:crypto';
import { chunk } from '../chunk.ts';
import { cacheKey } from '../vector/cache.ts';
import type { EmbeddingDeps } from '../vector/deps.ts';
import type { ChangedFile } from './hunks.ts';

/** Hunks that are embedded, the first of the diff; a larger change is described well enough by as many. */
const MOST_HUNKS = 256;

/**
 * The mean embedding of the text of all hunks, each weighted by its changed lines: `dimensions` numbers, all zero when there is
 * no hunk. The vectors of hunks are cached by their text.
 */
export async function hunkVector(
  { provider, cache, signal }: Pick<EmbeddingDeps, 'provider' | 'cache' | 'signal'>,
  files: readonly ChangedFile[],
): Promise<Float32Array> {
  const pieces = files
    .flatMap(({ hunks }) => hunks)
    .slice(0, MOST_HUNKS)
    .flatMap(({ text, added, deleted }) => {
      const { chunks } = chunk(text);
      return chunks.map((part) => ({ text: part.text, weight: (added + deleted) / chunks.length }));
    });
  const keyed = pieces.map((piece) => ({ ...piece, key: cacheKey(provider, `hunk:${sha256(piece.text)}`) }));
  const vectors = await cache.get(keyed.map(({ key }) => key));
  const missing = new Map(keyed.filter(({ key }) => !vectors.has(key)).map(({ key, text }) => [key, text]));
  const embedded = await provider.embed([...missing.values()], signal);
  const fresh = new Map([...missing.keys()].map((key, index) => [key, embedded[index] ?? new Float32Array(0)]));
  await cache.put(fresh);
  const total = keyed.reduce((sum, { weight }) => sum + weight, 0);
  const mean = new Float64Array(provider.dimensions);
  for (const { key, weight } of keyed) {
    const vector = vectors.get(key) ?? fresh.get(key);
    for (let j = 0; j < mean.length; j++) mean[j] = (mean[j] ?? 0) + ((vector?.[j] ?? 0) * weight) / total;
  }
  return Float32Array.from(mean);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
