import { type Archive, type ArchiveSettings, type Entry, type Placement, place, replay } from './archive.ts';
import { fitProjection, type Projection, type ProjectionSettings, project } from './projection.ts';
import { epochAt, refuseBadSchedule, type Schedule } from './schedule.ts';

/** `{ ...campaign.search, objectives: campaign.evaluator.objectives }` satisfies this. */
export interface PopulationSettings extends ArchiveSettings, Schedule {
  /** Whether the root, ordinal 0, is placed like any candidate; true by default. The published treatment keeps it out. */
  readonly placeRoot?: boolean;
  readonly projection: ProjectionSettings &
    Schedule['projection'] & {
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

/** All that a fit depends on; plain data, so that another thread can do it. */
export interface FitRequest {
  readonly epoch: number;
  /** The last `history` entries', the new one's last. */
  readonly vectors: readonly Float32Array[];
  readonly settings: ProjectionSettings;
  readonly previous: Projection | null;
}

/** A projection with where it puts the vectors it was fitted on, in their order, so that nobody projects them twice. */
export interface Fitted {
  readonly projection: Projection;
  readonly coordinates: readonly Float64Array[];
}

/** Makes the projection of `epoch`: `fitProjection`, or one that was made before. */
export type Fit = (
  vectors: readonly Float32Array[],
  settings: ProjectionSettings,
  previous: Projection | null,
  epoch: number,
) => Projection | Fitted;

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
  refuseBadSchedule(settings);
  const { history } = settings.projection;
  if (!Number.isInteger(history) || history < 1) throw new RangeError(`history must be at least 1, got ${history}`);
  return { settings, history: [], ordinals: new Set(), identities: new Map(), epoch: 0, fittedAt: 0, archive: null };
}

/**
 * Takes the next settled entry. Nothing is placed before the warm-up is complete; then, and as often as `schedule.ts` says, a
 * projection is fitted and the *whole* history is placed anew under it, also what an earlier epoch had rejected.
 *
 * The outcome depends on the entries and their order alone. If it throws, the population is as it was.
 * @throws RangeError when the entry's point or vector does not fit the population, or its ordinal is settled already.
 */
export function settle(population: Population, entry: Entry, makeProjection: Fit = fitProjection): Settlement {
  const { settings, history, archive } = population;
  if (isKeptOut(settings, entry)) return { kind: 'warming', have: history.length, need: settings.warmup };
  const same = duplicateOf(population, entry);
  if (same !== undefined) return { kind: 'duplicate', of: same };
  const due = nextFit(population, entry);
  if (due !== null) return startEpoch(population, entry, due, makeProjection);
  if (archive === null) {
    remember(population, entry);
    return { kind: 'warming', have: history.length, need: settings.warmup };
  }
  const placement = place(archive, entry);
  remember(population, entry);
  return { kind: 'placed', epoch: population.epoch, placement };
}

/**
 * The fit that settling this entry next will ask for, or null. Fitting takes a second on a large history, so who has other
 * things to do computes it elsewhere first and hands it over: `settle(population, entry, () => fitted)`.
 * @throws RangeError like `settle`.
 */
export function dueFit(population: Readonly<Population>, entry: Entry): FitRequest | null {
  if (isKeptOut(population.settings, entry) || duplicateOf(population, entry) !== undefined) return null;
  return nextFit(population, entry);
}

/** What `dueFit` asked for; takes n·D·d steps for n vectors of length D. */
export function runFit({ vectors, settings, previous }: FitRequest): Fitted {
  const projection = fitProjection(vectors, settings, previous);
  return { projection, coordinates: vectors.map((vector) => project(projection, vector)) };
}

function nextFit({ settings, history, epoch, archive }: Readonly<Population>, entry: Entry): FitRequest | null {
  if (epochAt(settings, history.length + 1).epoch === epoch) return null;
  return {
    epoch: epoch + 1,
    vectors: [...history, entry].slice(-settings.projection.history).map(({ vector }) => vector),
    settings: { dimensions: settings.projection.dimensions, clip: settings.projection.clip },
    previous: archive?.projection ?? null,
  };
}

/**
 * The population after settling all entries in order. Epochs whose projection is in `stored` are not fitted again, and of
 * those before the last stored one not even the placements are made again: a later epoch owes them nothing.
 */
export function restorePopulation(
  settings: PopulationSettings,
  entries: readonly Entry[],
  makeProjection: Fit = fitProjection,
  stored: ReadonlyMap<number, Projection> = new Map(),
): Population {
  const population = createPopulation(settings);
  const recall: Fit = (vectors, ...rest) => stored.get(rest[2]) ?? makeProjection(vectors, ...rest);
  const kept = entries.filter((entry) => !isKeptOut(settings, entry));
  const unique = uniqueEntries(kept);
  const reached = epochAt(settings, unique).epoch;
  const known = Math.max(0, ...[...stored.keys()].filter((epoch) => epoch <= reached));
  let position = 0;
  // The start of the last known epoch: everything before it is only remembered.
  for (; known > 0 && epochAt(settings, population.history.length).epoch < known; position++) {
    const entry = kept[position];
    if (entry === undefined) break;
    if (duplicateOf(population, entry) === undefined) remember(population, entry);
  }
  const projection = stored.get(known);
  if (projection !== undefined) {
    population.epoch = known;
    population.fittedAt = population.history.length;
    population.archive = replay(settings, projection, population.history).archive;
  }
  for (const entry of kept.slice(position)) settle(population, entry, recall);
  return population;
}

function isKeptOut({ placeRoot = true }: PopulationSettings, { ordinal }: Entry): boolean {
  return ordinal === 0 && !placeRoot;
}

/** How many of the entries are no duplicates. */
function uniqueEntries(entries: readonly Entry[]): number {
  const named = entries.flatMap(({ identity }) => (identity == null ? [] : [identity]));
  return entries.length - named.length + new Set(named).size;
}

function startEpoch(population: Population, entry: Entry, due: FitRequest, makeProjection: Fit): Settlement {
  const { settings, history } = population;
  const { epoch } = due;
  const made = makeProjection(due.vectors, due.settings, due.previous, epoch);
  const { projection, coordinates } = 'projection' in made ? made : { projection: made, coordinates: [] };
  const entries = [...history, entry];
  const unfitted = Array<undefined>(entries.length - coordinates.length);
  const { archive, placements } = replay(settings, projection, entries, [...unfitted, ...coordinates]);
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

/**
 * The ordinal that has the entry's identity. Looks at the rest of the entry too: during the warm-up nothing else does, and a bad
 * one must not wait for the fit to be found.
 */
function duplicateOf(
  population: Readonly<Population>,
  { ordinal, point, vector, identity }: Entry,
): number | undefined {
  const { settings, history, ordinals, identities } = population;
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
  return identity == null ? undefined : identities.get(identity);
}
