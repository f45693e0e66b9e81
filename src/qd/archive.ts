import type { Objective } from '../config/index.ts';
import type { AcceptedReason, FrontSettings, RejectedReason } from './front.ts';
import type { Grid } from './grid.ts';
import type { Point } from './objectives.ts';
import type { Projection } from './projection.ts';

/** A settled, valid candidate as the archive sees it. Ordinal 0 is the root. */
export interface Entry {
  readonly ordinal: number;
  readonly point: Point;
  /** The descriptor; all of a population have one length. */
  readonly vector: Float32Array;
  /** The evaluator's identity, if it gave one: a population takes each identity once. */
  readonly identity?: string | null;
}

export type PlacementReason = AcceptedReason | RejectedReason;

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
  readonly objectives: readonly Objective[];
  readonly grid: { readonly cells: number };
  readonly front: { readonly rule: 'box' | 'pairwise'; readonly capacity: number };
}

/** The fronts of one epoch, by cell; only `place` changes it. */
export interface Archive {
  readonly grid: Grid;
  readonly front: FrontSettings;
  readonly projection: Projection;
  readonly fronts: Map<number, readonly Entry[]>;
}

export function createArchive(_settings: ArchiveSettings, _projection: Projection): Archive {
  throw new Error('to be written');
}

export function place(_archive: Archive, _entry: Entry): Placement {
  throw new Error('to be written');
}

export function replay(
  _settings: ArchiveSettings,
  _projection: Projection,
  _entries: readonly Entry[],
): { archive: Archive; placements: Placement[] } {
  throw new Error('to be written');
}

/** The occupied cells in ascending order. */
export function occupiedCells(_archive: Archive): number[] {
  throw new Error('to be written');
}

/** Every retained entry, by ascending cell, in settlement order within a cell. */
export function elites(_archive: Archive): { cell: number; entry: Entry }[] {
  throw new Error('to be written');
}
