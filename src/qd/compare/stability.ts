import { type Entry, occupiedCells } from '../archive.ts';
import { cellCount, cellOf } from '../grid.ts';
import { createPopulation, type PopulationSettings, settle } from '../population.ts';
import { project } from '../projection.ts';

/** How a descriptor used the grid over one history. */
export interface GridUse {
  /** Cells in the grid, and those occupied in the last epoch; 0 while warming up. */
  readonly cells: number;
  readonly occupied: number;
  /** Entries that a front accepted when they were first placed. */
  readonly admitted: number;
  /**
   * Share of the admitted that lie in another cell under the last projection than when they were admitted; NaN without any. The
   * published figure for repository means is 43 % [Loreley, arXiv:2608.19703].
   */
  readonly moved: number;
  readonly epochs: number;
}

/** Settles a history anew and looks where it went: the same entries with another descriptor's vectors give a comparison. */
export function gridUse(settings: PopulationSettings, entries: readonly Entry[]): GridUse {
  const population = createPopulation(settings);
  const cells = cellCount({ dimensions: settings.projection.dimensions, cells: settings.grid.cells });
  const admissions: { readonly entry: Entry; readonly cell: number }[] = [];
  for (const entry of entries) {
    const settlement = settle(population, entry);
    if (settlement.kind === 'placed') {
      if (settlement.placement.verdict !== 'rejected') admissions.push({ entry, cell: settlement.placement.cell });
    } else if (settlement.kind === 'refitted') {
      // A refit places everybody anew, but admits only the entry that came with it; the first fit admits its whole warm-up.
      for (const [index, { verdict, cell }] of settlement.placements.entries()) {
        const settled = population.history[index];
        const isNew = settlement.epoch === 1 || settled === entry;
        if (isNew && verdict !== 'rejected' && settled !== undefined) admissions.push({ entry: settled, cell });
      }
    }
  }
  const { archive, epoch } = population;
  if (archive === null) return { cells, occupied: 0, admitted: 0, moved: Number.NaN, epochs: 0 };
  const moved = admissions.filter(
    ({ entry, cell }) => cellOf(project(archive.projection, entry.vector), archive.grid) !== cell,
  );
  return {
    cells,
    occupied: occupiedCells(archive).length,
    admitted: admissions.length,
    moved: moved.length / admissions.length,
    epochs: epoch,
  };
}
