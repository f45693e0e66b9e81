import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import type { Component } from './components.ts';
import { applyGram, BLOCK } from './gram-product.ts';
import { addScaled, combine, dot } from './linear.ts';
import { generatorFor } from './rng.ts';

/** Vectors of a Krylov space before it is restarted from its best ones. */
const LARGEST_SPACE = 96;
/** Products with a block of four in all. The bound makes the time known; what has not converged by then has near equals. */
const MOST_PRODUCTS = 36;
/** A direction is found when A·v is this close to λ·v, in units of the largest λ. */
const TOLERANCE = 1e-12;
/** What is left of a vector of length 1 after the space was taken out of it, when it was in the space: rounding. */
const IN_SPACE = 1e-10;

/**
 * The first `count` eigenvectors of A = XᵀX / (n − 1) for centred rows X (n × D) from a block Krylov space [Golub, Underwood
 * 1977; Musco, Musco 2015], that is, block subspace iteration that keeps all its iterates: v, Av, A²v, … orthonormalised, and
 * the eigenvectors of A within their span (Rayleigh–Ritz). Where plain subspace iteration needs hundreds of passes over
 * the rows for 1e-8, this needs tens. It starts from a fixed seed, so equal rows give equal axes.
 */
export function leadingComponents(rows: readonly Float64Array[], count: number): Component[] {
  const length = rows[0]?.length ?? 0;
  const width = BLOCK * Math.ceil((count + 1) / BLOCK);
  const largest = Math.min(length, Math.max(LARGEST_SPACE, 4 * width));
  let block = randomBlock(length, width);
  let space: Space = { basis: [], images: [] };
  let best: Ritz[] = [];
  for (let products = 0; products < MOST_PRODUCTS; products += width / BLOCK) {
    const grown = orthonormalise(block, space.basis);
    // Nothing new: the space maps into itself, and what it holds is exact.
    if (grown.length === 0) break;
    const images = applyGram(rows, grown);
    space = { basis: [...space.basis, ...grown], images: [...space.images, ...images] };
    best = rayleighRitz(space, width);
    const accuracy = Math.max(...best.slice(0, count).map(residual)) / (best[0]?.value || 1);
    if (accuracy <= TOLERANCE) break;
    block = images;
    if (space.basis.length + width > largest) {
      space = { basis: best.map(({ vector }) => vector), images: best.map(({ image }) => image) };
      block = best.map(({ vector, image, value }) => minus(image, value, vector));
    }
  }
  const divisor = Math.max(1, rows.length - 1);
  return best
    .slice(0, count)
    .map(({ value, vector }) => ({ variance: Math.max(0, value) / divisor, direction: vector }));
}

/** Orthonormal vectors and what XᵀX makes of each. */
interface Space {
  readonly basis: readonly Float64Array[];
  readonly images: readonly Float64Array[];
}

interface Ritz {
  readonly value: number;
  readonly vector: Float64Array;
  readonly image: Float64Array;
}

/** The best approximations of the first `count` eigenvectors within the space, the largest eigenvalue first. */
function rayleighRitz({ basis, images }: Space, count: number): Ritz[] {
  const within = Matrix.zeros(basis.length, basis.length);
  for (const [i, a] of basis.entries()) {
    for (let j = 0; j <= i; j++) {
      const product = dot(a, images[j] ?? a);
      within.set(i, j, product);
      within.set(j, i, product);
    }
  }
  const { realEigenvalues, eigenvectorMatrix } = new EigenvalueDecomposition(within, { assumeSymmetric: true });
  return realEigenvalues
    .map((value, column) => ({ value, column }))
    .sort((a, b) => b.value - a.value)
    .slice(0, count)
    .map(({ value, column }) => {
      const weights = eigenvectorMatrix.getColumn(column);
      return { value, vector: combine(weights, basis), image: combine(weights, images) };
    });
}

function residual({ value, vector, image }: Ritz): number {
  const rest = minus(image, value, vector);
  return Math.sqrt(dot(rest, rest));
}

function minus(image: Float64Array, value: number, vector: Float64Array): Float64Array {
  const rest = image.slice();
  addScaled(rest, -value, vector);
  return rest;
}

/** The part of the block that is outside the span of the basis, as orthonormal vectors; fewer when some of it is inside. */
function orthonormalise(block: readonly Float64Array[], basis: readonly Float64Array[]): Float64Array[] {
  const fresh: Float64Array[] = [];
  for (const candidate of block) {
    const vector = candidate.slice();
    if (!scaleToUnit(vector, 0)) continue;
    let inside = false;
    // Twice is enough [Parlett 1980]: the second round removes what rounding left in the first.
    for (let round = 0; round < 2 && !inside; round++) {
      for (const known of [...basis, ...fresh]) addScaled(vector, -dot(known, vector), known);
      inside = !scaleToUnit(vector, IN_SPACE);
    }
    if (!inside) fresh.push(vector);
  }
  return fresh;
}

/** Whether it is longer than `least`, and so has a direction. */
function scaleToUnit(vector: Float64Array, least: number): boolean {
  const norm = Math.sqrt(dot(vector, vector));
  if (!(norm > least)) return false;
  for (let j = 0; j < vector.length; j++) vector[j] = (vector[j] ?? 0) / norm;
  return true;
}

function randomBlock(length: number, width: number): Float64Array[] {
  const rng = generatorFor({ seed: 0, island: 0, ordinal: 0, purpose: 'krylov' });
  return Array.from({ length: width }, () => Float64Array.from({ length }, () => rng.unit() - 0.5));
}
