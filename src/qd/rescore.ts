import { type Entry, type Placement, refold } from './archive.ts';
import { cellOf } from './grid.ts';
import type { Population } from './population.ts';
import { project } from './projection.ts';

/** What a later measurement may change of a settled entry; everything else is what it was offered with. */
export type Score = Pick<Entry, 'point' | 'bound' | 'withdrawn'>;

/** The cell whose front was folded anew, in the current epoch. */
export interface Refold {
  readonly epoch: number;
  readonly cell: number;
  /** Of all entries of the cell, in settlement order. */
  readonly placements: readonly Placement[];
}

/**
 * Gives a settled entry another score, as if it had been settled with it. Projections look at vectors alone, so no epoch changes and
 * no entry its cell: the front of the entry's own cell is folded anew over the history, and the population is again what replaying
 * the whole history with the present scores gives.
 * @returns null while warming up, when nothing is placed yet
 * @throws RangeError when no entry has the ordinal or the point does not fit the population
 */
export function rescore(population: Population, ordinal: number, score: Score): Refold | null {
  const { settings, history, archive, epoch } = population;
  const index = history.findIndex((entry) => entry.ordinal === ordinal);
  const old = history[index];
  if (old === undefined) throw new RangeError(`candidate ${ordinal} is not in the history`);
  const { point } = score;
  if (point.length !== settings.objectives.length || !point.every(Number.isFinite)) {
    throw new RangeError(`candidate ${ordinal}: expected ${settings.objectives.length} finite scores, got ${point}`);
  }
  const entry = { ...old, ...score };
  history[index] = entry;
  if (archive === null) return null;
  const cell = cellOf(project(archive.projection, old.vector), archive.grid);
  const entries = (archive.offered.get(cell) ?? []).map((one) => (one.entry === old ? { ...one, entry } : one));
  return { epoch, cell, placements: refold(archive, cell, entries) };
}
