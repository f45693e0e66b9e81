import type { Entry } from '../archive.ts';
import type { PopulationSettings } from '../population.ts';
import { cosineDistances, type Distribution, distribution } from './distances.ts';
import { fileDifferences, objectiveDifferences, separation } from './separation.ts';
import { effectiveRank, explainedVariance, participationRatio, spectrum } from './spectrum.ts';
import { type GridUse, gridUse } from './stability.ts';

/** What one descriptor made of a history; measures without a value are null, since this is for JSON. */
export interface DescriptorReport {
  readonly entries: number;
  /** Pairwise cosine distances; null with less than two entries. */
  readonly distances: Distribution | null;
  /** Share of the variance in as many components as the projection has. */
  readonly explained: number | null;
  readonly participationRatio: number | null;
  readonly effectiveRank: number | null;
  readonly grid: Omit<GridUse, 'moved'> & { readonly moved: number | null };
  /** Rank correlation of distances with the difference of changed files, and of each objective by name. */
  readonly separation: { readonly files: number | null; readonly objectives: Readonly<Record<string, number | null>> };
}

/** Entries that pairs and spectrum are made of: their cost grows with the square and the cube. */
const MOST = 512;

/**
 * Everything there is to compare descriptors by, over one history in settlement order. Of a long history, pairs and spectrum look at 512
 * entries at even steps; the grid is that of the whole.
 * @param changedFiles of an entry against the root, by ordinal
 */
export function reportDescriptor(
  settings: PopulationSettings,
  entries: readonly Entry[],
  changedFiles: ReadonlyMap<number, ReadonlySet<string>>,
): DescriptorReport {
  const step = Math.max(1, entries.length / MOST);
  const sample = Array.from({ length: Math.min(entries.length, MOST) }, (_, i) => entries[Math.floor(i * step)]).filter(
    (entry) => entry !== undefined,
  );
  const vectors = sample.map(({ vector }) => vector);
  const distances = cosineDistances(vectors);
  const variances = spectrum(vectors);
  const grid = gridUse(settings, entries);
  const files = fileDifferences(sample.map(({ ordinal }) => changedFiles.get(ordinal) ?? new Set()));
  const objectives = settings.objectives.map(({ name }, j) => {
    const differences = objectiveDifferences(sample.map(({ point }) => point[j] ?? Number.NaN));
    return [name, known(separation(distances, differences))];
  });
  return {
    entries: entries.length,
    distances: distances.length === 0 ? null : distribution(distances),
    explained: known(explainedVariance(variances, settings.projection.dimensions)),
    participationRatio: known(participationRatio(variances)),
    effectiveRank: known(effectiveRank(variances)),
    grid: { ...grid, moved: known(grid.moved) },
    separation: { files: known(separation(distances, files)), objectives: Object.fromEntries(objectives) },
  };
}

function known(measure: number): number | null {
  return Number.isFinite(measure) ? measure : null;
}
