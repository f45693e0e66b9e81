import { Matrix } from 'ml-matrix';
import { PCA } from 'ml-pca';

/** A principal component: a unit direction and the sample variance along it. */
export interface Component {
  readonly variance: number;
  readonly direction: Float64Array;
}

/**
 * The first `count` principal components of centred rows (n rows of length D), the largest variance first; fewer when
 * n or D is smaller. The sign of a direction is fixed: its largest absolute loading, the first of equals, is positive.
 *
 * XᵀX and XXᵀ have the same eigenvalues other than 0, and eigenvectors of one give those of the other, so the smaller one is
 * decomposed: 200 rows of 512 take some ms, where the singular value decomposition of the rows takes seconds.
 */
export function principalComponents(rows: readonly Float64Array[], count: number): Component[] {
  const length = rows[0]?.length ?? 0;
  const byRows = rows.length <= length;
  const vectors = byRows ? rows : transpose(rows, length);
  const pca = new PCA(gram(vectors, Math.max(1, rows.length - 1)), { isCovarianceMatrix: true });
  const eigenvectors = pca.getEigenvectors();
  return pca
    .getEigenvalues()
    .slice(0, count)
    .map((variance, k) => {
      const eigenvector = Float64Array.from(eigenvectors.getColumn(k));
      return { variance, direction: orientLargest(unit(byRows ? combine(eigenvector, rows) : eigenvector)) };
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

/** Σ_i weights_i · rows_i */
export function combine(weights: ArrayLike<number>, rows: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(rows[0]?.length ?? 0);
  for (const [i, row] of rows.entries()) {
    const weight = weights[i] ?? 0;
    for (let j = 0; j < sum.length; j++) sum[j] = (sum[j] ?? 0) + weight * (row[j] ?? 0);
  }
  return sum;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += (a[j] ?? 0) * (b[j] ?? 0);
  return sum;
}

/** Scaled to length 1; the zero vector stays what it is. */
export function unit(vector: Float32Array | Float64Array): Float64Array {
  const scaled = new Float64Array(vector);
  const norm = Math.sqrt(dot(scaled, scaled));
  if (norm > 0) for (let j = 0; j < scaled.length; j++) scaled[j] = (scaled[j] ?? 0) / norm;
  return scaled;
}

function orientLargest(direction: Float64Array): Float64Array {
  const largest = direction.reduce((best, x) => (Math.abs(x) > Math.abs(best) ? x : best), 0);
  return largest < 0 ? direction.map((x) => -x) : direction;
}
