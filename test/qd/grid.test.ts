import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellCoordinates, cellCount, cellDistance, cellOf, chebyshev } from '../../src/qd/index.ts';

const grids = fc.record({ dimensions: fc.integer({ min: 1, max: 4 }), cells: fc.integer({ min: 1, max: 6 }) });
const placed = grids.chain((grid) =>
  fc.record({
    grid: fc.constant(grid),
    at: fc.array(
      fc.oneof(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(grid.cells).map((k) => k / grid.cells),
      ),
      { minLength: grid.dimensions, maxLength: grid.dimensions },
    ),
  }),
);

describe('the grid', () => {
  it('puts each coordinate into the interval that holds it, the top edge into the last', () => {
    fc.assert(
      fc.property(placed, ({ grid, at }) => {
        const position = cellCoordinates(cellOf(at, grid), grid);
        for (const [axis, x] of at.entries()) {
          const scan = Array.from({ length: grid.cells }, (_, k) => k).findLast((k) => k <= x * grid.cells);
          expect(position[axis]).toBe(scan);
        }
      }),
    );
  });

  it('numbers its cells without gaps, the first axis most significant', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const positions = Array.from({ length: cellCount(grid) }, (_, cell) => cellCoordinates(cell, grid));
        const centres = positions.map((position) => position.map((k) => (k + 0.5) / grid.cells));
        expect(centres.map((centre) => cellOf(centre, grid))).toEqual(positions.map((_, cell) => cell));
        expect(positions.map((position) => position.join())).toEqual(
          positions.map((position) => position.join()).sort(),
        );
      }),
    );
  });

  it('measures distance along the axis where it is largest', () => {
    expect(chebyshev([0, 3, 1], [1, 1, 1])).toBe(2);
    expect(chebyshev([2, 2], [2, 2])).toBe(0);
  });

  it('measures it between cells by their index too', () => {
    const pairs = grids.chain((grid) => {
      const cell = fc.nat(cellCount(grid) - 1);
      return fc.record({ grid: fc.constant(grid), a: cell, b: cell });
    });
    fc.assert(
      fc.property(pairs, ({ grid, a, b }) => {
        expect(cellDistance(a, b, grid)).toBe(chebyshev(cellCoordinates(a, grid), cellCoordinates(b, grid)));
      }),
    );
  });

  it('refuses what lies outside', () => {
    const grid = { dimensions: 2, cells: 4 };
    for (const at of [[0.5], [0, 0, 0], [-0.1, 0], [0, 1.1], [0, Number.NaN]])
      expect(() => cellOf(at, grid)).toThrow(RangeError);
    for (const cell of [-1, 16, 0.5]) expect(() => cellCoordinates(cell, grid)).toThrow(RangeError);
  });
});
