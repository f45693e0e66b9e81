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

async function add(
  deps: EmbeddingDeps,
  base: RepositoryVector,
  added: readonly string[],
  removed: readonly string[],
): Promise<RepositoryVector> {
  const vectors = await fileVectors(deps, [...removed, ...added]);
  const sum = base.sum.slice();
  let count = base.count;
  for (const [blobs, sign] of [[removed, -1] as const, [added, 1] as const]) {
    for (const blob of blobs) {
      const vector = vectors.get(blob);
      if (vector === undefined) continue;
      count += sign;
      for (const [index, value] of vector.entries()) sum[index] = (sum[index] ?? 0) + sign * value;
    }
  }
  return { sum, count, depth: base.depth };
}
