import { Matrix, SVD } from 'ml-matrix';
import { combine } from './linear.ts';

/**
 * Rotates the axes of a new epoch so that the common records keep their coordinates as well as a rotation (or reflection) can
 * manage: orthogonal Procrustes [Schönemann 1966], Z_newᵀ Z_old = U Σ Vᵀ, rotation U Vᵀ. Whitened coordinates stay whitened.
 * @param axes d rows of the new projection
 * @param after n × d unclipped coordinates Z_new of the common records under the new projection
 * @param before n × d, Z_old, the same records under the previous one
 */
export function alignAxes(
  axes: readonly Float64Array[],
  after: readonly Float64Array[],
  before: readonly Float64Array[],
): Float64Array[] {
  const columns = axes.map((_, i) =>
    combine(
      Float64Array.from(after, (z) => z[i] ?? 0),
      before,
    ),
  );
  const { leftSingularVectors, rightSingularVectors } = new SVD(new Matrix(columns));
  const rotation = leftSingularVectors.mmul(rightSingularVectors.transpose());
  return axes.map((_, k) => combine(rotation.getColumn(k), axes));
}
