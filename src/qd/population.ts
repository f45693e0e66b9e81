import { type Archive, type ArchiveSettings, type Entry, type Placement, place, replay } from './archive.ts';
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
  readonly ordinals: Set<number>;
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

/** @throws RangeError when the warm-up, the refit period or the length of history is not a sensible count. */
export function createPopulation(settings: PopulationSettings): Population {
  const { refit, history } = settings.projection;
  for (const [name, value, least] of [
    ['warmup', settings.warmup, 1],
    ['refit', refit, 0],
    ['history', history, 1],
  ] as const) {
    if (!Number.isInteger(value) || value < least)
      throw new RangeError(`${name} must be at least ${least}, got ${value}`);
  }
  return { settings, history: [], ordinals: new Set(), identities: new Map(), epoch: 0, fittedAt: 0, archive: null };
}

/**
 * Takes the next settled entry. Nothing is placed before the warm-up is complete; then, and after every `refit` entries, a
 * projection is fitted and the *whole* history is placed anew under it, also what an earlier epoch had rejected.
 *
 * The outcome depends on the entries and their order alone. If it throws, the population is as it was.
 * @throws RangeError when the entry's point or vector does not fit the population, or its ordinal is settled already.
 */
export function settle(population: Population, entry: Entry, makeProjection: Fit = fitProjection): Settlement {
  const { settings, history, identities, archive } = population;
  refuseMisfit(population, entry);
  const same = entry.identity == null ? undefined : identities.get(entry.identity);
  if (same !== undefined) return { kind: 'duplicate', of: same };
  if (fitIsDue(population)) return startEpoch(population, entry, makeProjection);
  if (archive === null) {
    remember(population, entry);
    return { kind: 'warming', have: history.length, need: settings.warmup };
  }
  const placement = place(archive, entry);
  remember(population, entry);
  return { kind: 'placed', epoch: population.epoch, placement };
}

/** The population after settling all entries in order. */
export function restorePopulation(
  settings: PopulationSettings,
  entries: readonly Entry[],
  makeProjection?: Fit,
): Population {
  const population = createPopulation(settings);
  for (const entry of entries) settle(population, entry, makeProjection);
  return population;
}

/** Whether the entry that comes next completes the warm-up or the period since the last fit. */
function fitIsDue({ settings, history, archive, fittedAt }: Population): boolean {
  const { refit } = settings.projection;
  if (archive === null) return history.length + 1 >= settings.warmup;
  return refit > 0 && history.length + 1 - fittedAt >= refit;
}

function startEpoch(population: Population, entry: Entry, makeProjection: Fit): Settlement {
  const { settings, history } = population;
  const epoch = population.epoch + 1;
  const entries = [...history, entry];
  const vectors = entries.slice(-settings.projection.history).map(({ vector }) => vector);
  const projection = makeProjection(vectors, settings.projection, population.archive?.projection ?? null, epoch);
  const { archive, placements } = replay(settings, projection, entries);
  remember(population, entry);
  population.epoch = epoch;
  population.fittedAt = history.length;
  population.archive = archive;
  return { kind: 'refitted', epoch, projection, placements };
}

function remember({ history, ordinals, identities }: Population, entry: Entry): void {
  history.push(entry);
  ordinals.add(entry.ordinal);
  if (entry.identity != null) identities.set(entry.identity, entry.ordinal);
}

/** During the warm-up nothing else looks at points and vectors, and a bad one must not wait for the fit to be found. */
function refuseMisfit({ settings, history, ordinals }: Population, { ordinal, point, vector }: Entry): void {
  const length = history[0]?.vector.length ?? vector.length;
  if (ordinals.has(ordinal)) throw new RangeError(`candidate ${ordinal} is settled already`);
  if (vector.length !== length || !vector.every(Number.isFinite)) {
    throw new RangeError(`candidate ${ordinal}: expected a vector of ${length} finite numbers, got ${vector.length}`);
  }
  if (point.length !== settings.objectives.length || !point.every(Number.isFinite)) {
    throw new RangeError(
      `candidate ${ordinal}: expected ${settings.objectives.length} finite objectives, got ${point}`,
    );
  }
}
