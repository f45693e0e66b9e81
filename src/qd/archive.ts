import type { Criterion } from '../config/index.ts';
import { type AcceptedReason, type FrontSettings, offer, type RejectedReason } from './front.ts';
import { cellCount, cellOf, type Grid } from './grid.ts';
import type { Point } from './objectives.ts';
import { type Projection, project } from './projection.ts';

/** A settled, valid candidate as the archive sees it. Ordinal 0 is the root. */
export interface Entry {
  readonly ordinal: number;
  readonly point: Point;
  /** The descriptor; all of a population have one length. */
  readonly vector: Float32Array;
  /** The evaluator's identity, if it gave one: a population takes each identity once. */
  readonly identity?: string | null;
  /** Lower end of the primary objective's interval, oriented like the point, where the evaluator gave one. */
  readonly bound?: number | null;
  /** It failed when it was measured again: it stays in the history, which says when projections are fitted, and is in no front. */
  readonly withdrawn?: boolean;
}

/** The least that the primary objective may be: the lower end of its interval, or its value. */
export function primaryBound({ bound, point }: Pick<Entry, 'bound' | 'point'>): number {
  return bound ?? point[0] ?? Number.NaN;
}

export type PlacementReason = AcceptedReason | RejectedReason | 'withdrawn';

/** The archive's verdict on a candidate in an epoch; plain JSON. `new`: it opened its cell. */
export interface Placement {
  readonly ordinal: number;
  readonly verdict: 'new' | 'improved' | 'rejected';
  readonly reason: PlacementReason;
  readonly cell: number;
  /** Where it lies in [0,1]^d. */
  readonly coordinates: readonly number[];
  /** Ordinals that left the front because of it. */
  readonly evicted: readonly number[];
}

/** A `Campaign`'s `search` with its objectives satisfies this. */
export interface ArchiveSettings {
  readonly objectives: readonly Criterion[];
  readonly grid: { readonly cells: number };
  readonly front: { readonly rule: 'box' | 'pairwise'; readonly capacity: number };
}

/** An entry with where the projection puts it. */
export interface Located {
  readonly entry: Entry;
  readonly coordinates: Float64Array;
}

/** The fronts of one epoch, by cell; only `place` and `refold` change it. */
export interface Archive {
  readonly grid: Grid;
  readonly front: FrontSettings;
  readonly projection: Projection;
  readonly fronts: Map<number, readonly Entry[]>;
  /** All that was ever offered to a cell, in settlement order: what its front is a fold of. */
  readonly offered: Map<number, Located[]>;
}

/** @throws RangeError when a setting is out of range or the cells are too many to be numbered exactly. */
export function createArchive({ objectives, grid, front }: ArchiveSettings, projection: Projection): Archive {
  const epsilons = objectives.map(({ epsilon }) => epsilon);
  const archive = {
    grid: { dimensions: projection.axes.length, cells: grid.cells },
    front: { rule: front.rule, capacity: front.capacity, epsilons },
    projection,
    fronts: new Map<number, readonly Entry[]>(),
    offered: new Map<number, Located[]>(),
  };
  if (epsilons.length === 0 || !epsilons.every((epsilon) => epsilon >= 0 && epsilon < Infinity)) {
    throw new RangeError(`expected a finite epsilon >= 0 for each objective, got [${epsilons.join(', ')}]`);
  }
  if (!(front.capacity >= 1)) throw new RangeError(`front capacity must be at least 1, got ${front.capacity}`);
  if (!(grid.cells >= 1) || !Number.isSafeInteger(cellCount(archive.grid))) {
    throw new RangeError(`cannot number ${grid.cells}^${archive.grid.dimensions} cells`);
  }
  return archive;
}

/**
 * Offers an entry to the front of its cell and says what came of it. This is the only rule by which an archive changes:
 * live settling, refits, restarts and new scores all fold over it.
 * @param coordinates of the entry under the archive's projection, should they be known
 */
export function place(
  archive: Archive,
  entry: Entry,
  coordinates: Float64Array = project(archive.projection, entry.vector),
): Placement {
  const cell = cellOf(coordinates, archive.grid);
  const offered = archive.offered.get(cell);
  // In place: a copy for each entry would cost the square of a cell's history.
  if (offered === undefined) archive.offered.set(cell, [{ entry, coordinates }]);
  else offered.push({ entry, coordinates });
  return admit(archive, cell, { entry, coordinates });
}

/**
 * Folds the front of a cell anew, over entries that took the place of those offered to it.
 * @returns the placements of all of them, in settlement order
 */
export function refold(archive: Archive, cell: number, entries: readonly Located[]): Placement[] {
  archive.fronts.delete(cell);
  archive.offered.set(cell, [...entries]);
  return entries.map((located) => admit(archive, cell, located));
}

function admit(archive: Archive, cell: number, { entry, coordinates }: Located): Placement {
  const { ordinal } = entry;
  const place = { ordinal, cell, coordinates: [...coordinates] };
  if (entry.withdrawn === true) return { ...place, verdict: 'rejected', reason: 'withdrawn', evicted: [] };
  const { accepted, reason, front, evicted } = offer(archive.fronts.get(cell) ?? [], entry, archive.front);
  archive.fronts.set(cell, front);
  const verdict = accepted ? (reason === 'empty' ? 'new' : 'improved') : 'rejected';
  return { ...place, verdict, reason, evicted: evicted.map((member) => member.ordinal) };
}

/**
 * The archive of a whole history, in settlement order, under one projection.
 * @param coordinates of the entries under that projection, one each, where known
 */
export function replay(
  settings: ArchiveSettings,
  projection: Projection,
  entries: readonly Entry[],
  coordinates: readonly (Float64Array | undefined)[] = [],
): { archive: Archive; placements: Placement[] } {
  const archive = createArchive(settings, projection);
  return { archive, placements: entries.map((entry, index) => place(archive, entry, coordinates[index])) };
}

/** The occupied cells in ascending order, which does not depend on the order they were opened in. */
export function occupiedCells(archive: Archive): number[] {
  return [...archive.fronts.keys()].sort((a, b) => a - b);
}

/** Every retained entry, by ascending cell, in settlement order within a cell. */
export function elites(archive: Archive): { cell: number; entry: Entry }[] {
  return occupiedCells(archive).flatMap((cell) => (archive.fronts.get(cell) ?? []).map((entry) => ({ cell, entry })));
}
