import { type Pairs, pairs } from './distances.ts';

/**
 * How well the distances between descriptors follow another difference between the same candidates: Spearman's rank correlation over
 * all pairs, the statistic of Mantel's test [Mantel 1967]. 1: whatever differs more is farther apart; 0: no relation.
 * NaN when one of the two is constant.
 */
export function separation(distances: Pairs, differences: Pairs): number {
  if (distances.length !== differences.length) {
    throw new RangeError(`expected as many pairs, got ${distances.length} and ${differences.length}`);
  }
  return correlation(ranks(distances), ranks(differences));
}

/** 1 − |A ∩ B| / |A ∪ B| of the files that candidates changed [Jaccard 1901]; 0 for two that changed none. */
export function fileDifferences(changedFiles: readonly ReadonlySet<string>[]): Pairs {
  const none: ReadonlySet<string> = new Set();
  return pairs(changedFiles.length, (i, j) => {
    const a = changedFiles[i] ?? none;
    const b = changedFiles[j] ?? none;
    const both = [...a].filter((path) => b.has(path)).length;
    const either = a.size + b.size - both;
    return either === 0 ? 0 : 1 - both / either;
  });
}

/** |a − b| of one objective. */
export function objectiveDifferences(values: readonly number[]): Pairs {
  return pairs(values.length, (i, j) => Math.abs((values[i] ?? Number.NaN) - (values[j] ?? Number.NaN)));
}

/** Ranks from 0, equal values sharing the mean of theirs. */
function ranks(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranked = new Float64Array(values.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    const value = values[order[from] ?? 0];
    while (to < order.length && values[order[to] ?? 0] === value) to++;
    for (let at = from; at < to; at++) ranked[order[at] ?? 0] = (from + to - 1) / 2;
  }
  return ranked;
}

function correlation(a: Float64Array, b: Float64Array): number {
  // The mean rank of n values, ties or not.
  const mean = (a.length - 1) / 2;
  let [both, squaresA, squaresB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [(a[i] ?? 0) - mean, (b[i] ?? 0) - mean];
    both += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return both / Math.sqrt(squaresA * squaresB);
}
