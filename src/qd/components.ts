import { Matrix } from 'ml-matrix';
import { PCA } from 'ml-pca';
import { leadingComponents } from './krylov.ts';
import { combine, dot, unit } from './linear.ts';

/** A principal component: a unit direction and the sample variance along it. */
export interface Component {
  readonly variance: number;
  readonly direction: Float64Array;
}

/** Up to this many rows or columns the whole decomposition takes some milliseconds; its cost grows with the cube. */
const SMALL = 96;

/**
 * The first `count` principal components of centred rows (n rows of length D), the largest variance first; fewer when
 * n or D is smaller. The sign of a direction is fixed: its largest absolute loading, the first of equals, is positive.
 *
 * A few of many components come from a block Krylov space, in time n·D·count; all of few from a full decomposition.
 */
export function principalComponents(rows: readonly Float64Array[], count: number): Component[] {
  const length = rows[0]?.length ?? 0;
  if (rows.length === 0 || length === 0) return [];
  const small = Math.min(rows.length, length) <= Math.max(SMALL, 4 * count);
  const components = small ? allComponents(rows, length).slice(0, count) : leadingComponents(rows, count);
  return components.map(({ variance, direction }) => ({ variance, direction: orientLargest(direction) }));
}

/**
 * XᵀX and XXᵀ have the same eigenvalues other than 0, and eigenvectors of one give those of the other, so the smaller one is
 * decomposed: 96 rows of 1,536 take some ms, where the singular value decomposition of the rows takes seconds.
 */
function allComponents(rows: readonly Float64Array[], length: number): Component[] {
  const byRows = rows.length <= length;
  const vectors = byRows ? rows : transpose(rows, length);
  const pca = new PCA(gram(vectors, Math.max(1, rows.length - 1)), { isCovarianceMatrix: true });
  const eigenvectors = pca.getEigenvectors();
  return pca.getEigenvalues().map((variance, k) => {
    const eigenvector = Float64Array.from(eigenvectors.getColumn(k));
    return { variance, direction: unit(byRows ? combine(eigenvector, rows) : eigenvector) };
  });
}

/** Inner products of all pairs of vectors, divided by `divisor`. */
function gram(vectors: readonly Float64Array[], divisor: number): Matrix {
  const products = Matrix.zeros(vectors.length, vectors.length);
  for (const [i, a] of vectors.entries()) {
    for (let j = 0; j <= i; j++) {
      const product = dot(a, vectors[j] ?? a) / divisor;
      products.set(i, j, product);
      products.set(j, i, product);
    }
  }
  return products;
}

function transpose(rows: readonly Float64Array[], length: number): Float64Array[] {
  return Array.from({ length }, (_, column) => Float64Array.from(rows, (row) => row[column] ?? 0));
}

function orientLargest(direction: Float64Array): Float64Array {
  const largest = direction.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
  return largest < 0 ? direction.map((x) => -x) : direction;
}
