import { pairedResult, type Result } from 'clade/evaluator';
import type { CellResult, Summary } from './cells.ts';
import type { MemoryUse } from './gates.ts';

export interface Findings {
  readonly summary: Summary;
  readonly memory: readonly MemoryUse[];
  readonly identity: string;
  /** The candidate's library is the root's, byte for byte. */
  readonly isRoot: boolean;
}

/**
 * What was found as a result: objectives `compression` and `decompression` with their bounds, and `worst_cell`, the smallest
 * speed-up of any cell, which a campaign may declare as an objective or read as a metric.
 */
export function resultOf({ summary, memory, identity, isRoot }: Findings): Result {
  const compression = pairedResult('compression', summary.compression, isRoot);
  const decompression = pairedResult('decompression', summary.decompression, isRoot);
  const { ratio, lower, upper } = summary.worst.comparison;
  const written = summary.cells.filter(({ direction }) => direction === 'compression');
  const total = written.reduce((sum, { sizeRatio }) => sum + sizeRatio, 0) / written.length;
  return {
    status: 'valid',
    objectives: { ...compression.objectives, ...decompression.objectives, worst_cell: isRoot ? 1 : ratio },
    intervals: { ...compression.intervals, ...decompression.intervals, worst_cell: isRoot ? [1, 1] : [lower, upper] },
    identity,
    metrics: {
      ...compression.metrics,
      ...decompression.metrics,
      worst_cell: isRoot ? 1 : ratio,
      worst_cell_measured: ratio,
      size_ratio: total,
      worst_size_ratio: Math.max(...written.map(({ sizeRatio }) => sizeRatio)),
      root_memory_kib: Math.max(...memory.map(({ root }) => root)),
      memory_kib: Math.max(...memory.map(({ candidate }) => candidate)),
      ...Object.fromEntries(
        summary.cells.map((cell) => [`${cell.direction}_${cell.level}_${cell.kind}`, cell.comparison.ratio]),
      ),
      ...Object.fromEntries(
        summary.cells.map((cell) => [`root_mb_s_${cell.direction}_${cell.level}_${cell.kind}`, cell.rootSpeed]),
      ),
    },
    summary: `${compression.summary}; ${decompression.summary}; worst cell ${percent(ratio)} (${nameOf(summary.worst)}); size ${percent(total)}`,
    evidence: `Round trips, cross-decoding, damaged frames and memory are in order. The change by cell:\n\n${tableOf(summary.cells)}`,
  };
}

/** One line a cell. */
export function tableOf(cells: readonly CellResult[]): string {
  const rows = cells.map((cell) => {
    const { ratio, standardError } = cell.comparison;
    const numbers = [
      percent(ratio),
      `± ${(standardError * 100).toFixed(2)} %`,
      cell.rootSpeed.toFixed(0),
      percent(cell.sizeRatio, 3),
    ];
    return `| ${nameOf(cell)} | ${numbers.join(' | ')} |\n`;
  });
  return `| cell | speed | standard error | root MB/s | size |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`;
}

function nameOf({ direction, level, kind }: CellResult): string {
  return `${direction} ${level} ${kind}`;
}

function percent(factor: number, digits = 2): string {
  const value = (factor - 1) * 100;
  return `${value >= 0 ? '+' : ''}${value.toFixed(digits)} %`;
}
