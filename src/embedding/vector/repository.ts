import { eligible } from '../files/eligibility.ts';
import { eligibleFiles, isRegular } from '../files/list.ts';
import type { SourceChange, SourceEntry } from '../files/source.ts';
import type { EmbeddingDeps } from './deps.ts';
import { fileVectors } from './file.ts';

/**
 * Σ of the vectors of a commit's eligible files and their number (formulas §2); `depth` counts the updates since the sum
 * was last computed from all files. File vectors lie on the grid of 2⁻²⁴ (`file.ts`), so these sums are exact: equal
 * trees have equal vectors whatever path led to them, and undoing an edit gives the root's vector to the bit.
 */
export interface RepositoryVector {
  readonly sum: Float64Array;
  readonly count: number;
  readonly depth: number;
}

/**
 * After this many updates a vector is computed from all files again. The sums are exact, so this bounds not rounding
 * but the reach of a bug or of a cache that somebody damaged.
 */
export const REBASE_DEPTH = 16;

/** The vector of a commit from all entries of its tree, eligible or not. */
export async function embedRoot(deps: EmbeddingDeps, entries: readonly SourceEntry[]): Promise<RepositoryVector> {
  const blobs = eligibleFiles(deps.eligibility, entries).map((entry) => entry.blob);
  return add(deps, { sum: new Float64Array(deps.provider.dimensions), count: 0, depth: 0 }, blobs, []);
}

/** The vector of a child from its parent's and the changes parent → child; only blobs not seen before are embedded. */
export async function updateVector(
  deps: EmbeddingDeps,
  parent: RepositoryVector,
  changes: readonly SourceChange[],
): Promise<RepositoryVector> {
  const side = (path: string, blob: string | null, mode: string, size: number | undefined): string[] =>
    blob !== null && isRegular(mode) && eligible(deps.eligibility, path, size) ? [blob] : [];
  const removed = changes.flatMap((c) => side(c.oldPath ?? c.path, c.oldBlob, c.oldMode, c.oldSize));
  const added = changes.flatMap((c) => side(c.path, c.newBlob, c.newMode, c.newSize));
  return add(deps, { ...parent, depth: parent.depth + 1 }, added, removed);
}

/** Whether the next child of this vector should be computed from all files. */
export function needsRebase(vector: RepositoryVector, every: number = REBASE_DEPTH): boolean {
  return vector.depth + 1 >= every;
}

/** The vector of `child`, by update from its parent's, or from all files when that is due. */
export async function stepVector(
  deps: EmbeddingDeps,
  step: { readonly parent: RepositoryVector; readonly parentCommit: string; readonly child: string },
): Promise<RepositoryVector> {
  if (needsRebase(step.parent)) return embedRoot(deps, await deps.source.list(step.child));
  return updateVector(deps, step.parent, await deps.source.changes(step.parentCommit, step.child));
}

/** Blobs whose vectors are held at once, whatever the size of the repository. */
const GROUP_BLOBS = 1024;

/** The base with the vectors of some blobs added and of others taken away; a blob may be there more than once. */
async function add(
  deps: EmbeddingDeps,
  base: RepositoryVector,
  added: readonly string[],
  removed: readonly string[],
): Promise<RepositoryVector> {
  const times = new Map<string, number>();
  for (const blob of removed) times.set(blob, (times.get(blob) ?? 0) - 1);
  for (const blob of added) times.set(blob, (times.get(blob) ?? 0) + 1);
  // What moved or changed its mode only is neither read nor embedded.
  const blobs = [...times].filter(([, count]) => count !== 0).map(([blob]) => blob);
  const sum = base.sum.slice();
  let count = base.count;
  for (let from = 0; from < blobs.length; from += GROUP_BLOBS) {
    for (const [blob, vector] of await fileVectors(deps, blobs.slice(from, from + GROUP_BLOBS))) {
      const weight = times.get(blob) ?? 0;
      count += weight;
      for (let j = 0; j < sum.length; j++) sum[j] = (sum[j] ?? 0) + weight * (vector[j] ?? 0);
    }
  }
  return { sum, count, depth: base.depth };
}
