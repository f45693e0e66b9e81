import { type Comparison, compare, invalid } from 'clade/evaluator';
import type { Kind } from './corpus/index.ts';

export type Direction = 'compression' | 'decompression';

/** One thing that is measured: a level, a kind of data, a direction. */
export interface Cell {
  readonly level: number;
  readonly kind: Kind;
  readonly direction: Direction;
}

/** What one round found in a cell. */
export interface Sample {
  readonly cell: Cell;
  /** Milliseconds, of as many passes for both. */
  readonly root: number;
  readonly candidate: number;
  /** Of the compressed data. */
  readonly rootBytes: number;
  readonly candidateBytes: number;
  /** Original bytes that were worked on, over all passes. */
  readonly bytes: number;
}

export interface CellResult extends Cell {
  readonly comparison: Comparison;
  /** Megabytes of original data a second, over all rounds. */
  readonly rootSpeed: number;
  /** Compressed size, candidate / root, over all rounds. */
  readonly sizeRatio: number;
}

export interface Summary {
  readonly compression: Comparison;
  readonly decompression: Comparison;
  readonly cells: readonly CellResult[];
  /** The cell with the smallest speed-up. */
  readonly worst: CellResult;
}

/**
 * The statistics of rounds. Of each round the mean over cells of the log ratios, so the geometric mean of the speed-ups, is one
 * observation of a direction; `compare` makes the estimate and its bounds of them. Cells have estimates of their own.
 *
 * @param rounds each with the same cells in the same order
 */
export function summarise(rounds: readonly (readonly Sample[])[], trim: number): Summary {
  const cells = (rounds[0] ?? []).map(({ cell }, i) =>
    cellResult(
      cell,
      rounds.flatMap((round) => round[i] ?? []),
      trim,
    ),
  );
  const worst = cells.reduce((least, cell) => (cell.comparison.ratio < least.comparison.ratio ? cell : least));
  return {
    compression: directionOf('compression', rounds, trim),
    decompression: directionOf('decompression', rounds, trim),
    cells,
    worst,
  };
}

function directionOf(direction: Direction, rounds: readonly (readonly Sample[])[], trim: number): Comparison {
  const observations = rounds.map((round) =>
    mean(round.filter(({ cell }) => cell.direction === direction).map(logRatio)),
  );
  return compare(observations, trim);
}

function cellResult(cell: Cell, samples: readonly Sample[], trim: number): CellResult {
  const sum = (pick: (sample: Sample) => number): number => samples.reduce((total, sample) => total + pick(sample), 0);
  return {
    ...cell,
    comparison: compare(samples.map(logRatio), trim),
    rootSpeed: sum(({ bytes }) => bytes) / 1e3 / sum(({ root }) => root),
    sizeRatio: sum(({ candidateBytes }) => candidateBytes) / sum(({ rootBytes }) => rootBytes),
  };
}

function logRatio({ root, candidate }: Sample): number {
  return Math.log(root / candidate);
}

/** Of a list with something in it. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @throws Refusal `gate` when the compressed size of a cell grew by more than the declared share */
export function checkSizes(cells: readonly CellResult[], growth: number): void {
  const grown = cells.filter(({ direction, sizeRatio }) => direction === 'compression' && sizeRatio > 1 + growth);
  if (grown.length === 0) return;
  const list = grown.map(
    ({ level, kind, sizeRatio }) => `${kind} at level ${level} by ${((sizeRatio - 1) * 100).toFixed(3)} %`,
  );
  invalid('gate', `compressed sizes grow by more than ${growth * 100} %: ${list.join(', ')}`);
}
