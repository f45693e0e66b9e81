import { InfrastructureError } from '../../errors.ts';
import { type Chunked, chunk } from '../chunk.ts';
import { decodeText } from '../files/text.ts';
import { cacheKey } from './cache.ts';
import type { EmbeddingDeps } from './deps.ts';

/** Blobs whose chunks are embedded in one call: enough to fill the requests of a server, little enough to hold. */
const GROUP_BLOBS = 64;

/**
 * File vectors are rounded to multiples of 2⁻²⁴. With components of at most 1 they lose nothing that a Float32 holds on
 * to, and any sum of up to 2²⁸ of them is exact in a Float64, whatever the order.
 */
const GRID = 2 ** 24;

/**
 * The vector of each distinct blob that is text of an eligible size; the others are absent. What the cache lacks is read,
 * embedded and put there, so the work is that of the new blobs only.
 * @throws what the provider, the cache or the source throws; the groups finished before stay in the cache.
 */
export async function fileVectors(deps: EmbeddingDeps, blobs: readonly string[]): Promise<Map<string, Float32Array>> {
  const distinct = [...new Set(blobs)];
  const cached = await deps.cache.get(distinct.map((blob) => cacheKey(deps.provider, blob)));
  const vectors = new Map<string, Float32Array>();
  const missing: string[] = [];
  for (const blob of distinct) {
    const vector = cached.get(cacheKey(deps.provider, blob));
    if (vector === undefined) missing.push(blob);
    else vectors.set(blob, vector);
  }
  if (missing.length === 0) return vectors;

  let group = new Map<string, Chunked>();
  const finish = async () => {
    for (const [blob, vector] of await embedGroup(deps, group)) vectors.set(blob, vector);
    group = new Map();
  };
  const unread = new Set(missing);
  for await (const { blob, bytes } of deps.source.read(missing)) {
    unread.delete(blob);
    const text = decodeText(bytes);
    if (text === null) continue;
    group.set(blob, chunk(text));
    if (group.size === GROUP_BLOBS) await finish();
  }
  await finish();
  if (unread.size > 0) {
    // Taken for "not text" it would silently shift the descriptor of every descendant.
    throw new InfrastructureError(`the repository did not give ${unread.size} blobs, such as ${[...unread][0]}`);
  }
  return vectors;
}

async function embedGroup(
  deps: EmbeddingDeps,
  group: ReadonlyMap<string, Chunked>,
): Promise<Map<string, Float32Array>> {
  const vectors = new Map<string, Float32Array>();
  if (group.size === 0) return vectors;
  const texts = [...group.values()].flatMap(({ chunks }) => chunks.map(({ text }) => text));
  const embedded = await deps.provider.embed(texts, deps.signal);
  let from = 0;
  for (const [blob, { chunks, droppedLines }] of group) {
    if (droppedLines > 0) deps.report?.({ kind: 'tail-dropped', blob, lines: droppedLines });
    const weights = chunks.map(({ lines }) => lines);
    vectors.set(blob, weightedMean(embedded.slice(from, from + chunks.length), weights, deps.provider.dimensions));
    from += chunks.length;
  }
  return settle(deps, vectors);
}

/** Puts the vectors into the cache and answers those that are there, which another worker may have put first. */
async function settle(deps: EmbeddingDeps, vectors: Map<string, Float32Array>): Promise<Map<string, Float32Array>> {
  const keyed = new Map([...vectors].map(([blob, vector]) => [cacheKey(deps.provider, blob), vector]));
  await deps.cache.put(keyed);
  const kept = await deps.cache.get([...keyed.keys()]);
  return new Map([...vectors].map(([blob, vector]) => [blob, kept.get(cacheKey(deps.provider, blob)) ?? vector]));
}

/** Σ wᵢ vᵢ / Σ wᵢ, rounded to the grid. */
function weightedMean(vectors: readonly Float32Array[], weights: readonly number[], dimensions: number): Float32Array {
  const sum = new Float64Array(dimensions);
  let total = 0;
  for (const [index, vector] of vectors.entries()) {
    const weight = weights[index] ?? 0;
    total += weight;
    for (let at = 0; at < dimensions; at += 1) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
  }
  const mean = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 1) mean[at] = Math.round(((sum[at] ?? 0) / total) * GRID) / GRID;
  return mean;
}
