import type { Archive, ArchiveSettings, Entry, Placement } from './archive.ts';
import { fitProjection, type Projection, type ProjectionSettings } from './projection.ts';

/** `{ ...campaign.search, objectives: campaign.evaluator.objectives }` satisfies this. */
export interface PopulationSettings extends ArchiveSettings {
  /** Number of entries of different identity, the root included, that the first fit needs. */
  readonly warmup: number;
  readonly projection: ProjectionSettings & {
    /** Entries between two fits; 0 = the first fit stays. */
    readonly refit: number;
    /** A fit looks at this many of the last entries. */
    readonly history: number;
  };
}

/** The history of one island, in settlement order, and its current epoch; only `settle` changes it. */
export interface Population {
  readonly settings: PopulationSettings;
  readonly history: Entry[];
  /** Identity → ordinal of the entry that has it. */
  readonly identities: Map<string, number>;
  /** 0 while warming up; the first fit makes epoch 1. */
  epoch: number;
  /** Length of the history at the last fit. */
  fittedAt: number;
  /** Null while warming up. */
  archive: Archive | null;
}

/** Makes the projection of `epoch`: `fitProjection`, or a look-up of the stored one on a restart. */
export type Fit = (
  vectors: readonly Float32Array[],
  settings: ProjectionSettings,
  previous: Projection | null,
  epoch: number,
) => Projection;

export type Settlement =
  /** Its identity is already in the history: nothing changed. */
  | { readonly kind: 'duplicate'; readonly of: number }
  | { readonly kind: 'warming'; readonly have: number; readonly need: number }
  | { readonly kind: 'placed'; readonly epoch: number; readonly placement: Placement }
  /** A new epoch (the first one too): the placements of the whole history, this entry's last. */
  | {
      readonly kind: 'refitted';
      readonly epoch: number;
      readonly projection: Projection;
      readonly placements: readonly Placement[];
    };

export function createPopulation(_settings: PopulationSettings): Population {
  throw new Error('to be written');
}

export function settle(_population: Population, _entry: Entry, _fit: Fit = fitProjection): Settlement {
  throw new Error('to be written');
}

/** The population after settling all entries in order. */
export function restorePopulation(settings: PopulationSettings, entries: readonly Entry[], fit?: Fit): Population {
  const population = createPopulation(settings);
  for (const entry of entries) settle(population, entry, fit);
  return population;
}
