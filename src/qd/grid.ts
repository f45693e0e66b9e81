/** A regular grid over [0,1]^dimensions with `cells` cells along each axis. */
export interface Grid {
  readonly dimensions: number;
  readonly cells: number;
}

export function cellCount({ dimensions, cells }: Grid): number {
  return cells ** dimensions;
}

/**
 * The index of the cell that holds the coordinates, in 0 … cellCount − 1, the first axis most significant.
 * The top edge belongs to the last cell.
 * @throws RangeError when the number of coordinates is wrong or one of them lies outside [0, 1].
 */
export function cellOf(coordinates: ArrayLike<number>, { dimensions, cells }: Grid): number {
  if (coordinates.length !== dimensions) {
    throw new RangeError(`expected ${dimensions} coordinates, got ${coordinates.length}`);
  }
  let index = 0;
  for (let axis = 0; axis < dimensions; axis++) {
    const x = coordinates[axis] ?? Number.NaN;
    if (!(x >= 0 && x <= 1)) throw new RangeError(`coordinate ${axis} must lie in [0, 1], got ${x}`);
    index = index * cells + Math.min(Math.floor(x * cells), cells - 1);
  }
  return index;
}

/** The position of a cell along each axis, each in 0 … cells − 1; the inverse of the index of `cellOf`. */
export function cellCoordinates(cell: number, grid: Grid): number[] {
  if (!Number.isInteger(cell) || cell < 0 || cell >= cellCount(grid)) {
    throw new RangeError(`expected a cell in 0 … ${cellCount(grid) - 1}, got ${cell}`);
  }
  const position: number[] = [];
  let rest = cell;
  for (let axis = 0; axis < grid.dimensions; axis++) {
    position.unshift(rest % grid.cells);
    rest = Math.floor(rest / grid.cells);
  }
  return position;
}

/** The largest difference along any axis between two positions of `cellCoordinates`. */
export function chebyshev(a: readonly number[], b: readonly number[]): number {
  return a.reduce((largest, x, axis) => Math.max(largest, Math.abs(x - (b[axis] ?? Number.NaN))), 0);
}

/** `chebyshev` of the positions of two cells, without making them: a job asks this of every occupied cell. */
export function cellDistance(a: number, b: number, { dimensions, cells }: Grid): number {
  let largest = 0;
  let [restA, restB] = [a, b];
  for (let axis = 0; axis < dimensions; axis++) {
    largest = Math.max(largest, Math.abs((restA % cells) - (restB % cells)));
    restA = Math.floor(restA / cells);
    restB = Math.floor(restB / cells);
  }
  return largest;
}
