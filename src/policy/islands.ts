import { elites, type Population } from '../qd/index.ts';
import type { Migrant } from './decision.ts';
import type { JobSpec, PolicyView } from './policy.ts';
import { type PolicyName, planBatch } from './registry.ts';

/** One island as it stands. */
export type IslandView = Pick<PolicyView, 'population' | 'recentRecipes' | 'inFlight'>;

export interface ArchipelagoView extends Omit<PolicyView, 'island' | 'stride' | 'migration' | keyof IslandView> {
  /** At least one; an island's number is its place in this list. */
  readonly islands: readonly IslandView[];
  /** Every so many jobs of an island, one takes its last inspiration from another; 0 = never. */
  readonly migrateEvery: number;
}

/** The island of a job: they take turns, so that the ordinal alone decides. Not for the root, which all islands have. */
export function islandOf(ordinal: number, islands: number): number {
  return (ordinal - 1) % islands;
}

/**
 * The next jobs of all islands, by ordinal; islands take turns under the one cap of `count`. With one island it is `planBatch`.
 * A serial policy gets one job for each island.
 */
export function planIslands(view: ArchipelagoView, policy?: PolicyName): JobSpec[] {
  const { islands, migrateEvery, nextOrdinal, count, ...common } = view;
  const jobs = islands.flatMap((island, number) => {
    // The first of the coming ordinals that is this island's.
    const first = nextOrdinal + ((number - islandOf(nextOrdinal, islands.length) + islands.length) % islands.length);
    const mine = Math.max(0, Math.ceil((nextOrdinal + count - first) / islands.length));
    return planBatch(
      {
        ...common,
        ...island,
        island: number,
        nextOrdinal: first,
        stride: islands.length,
        count: mine,
        migration: {
          isDue: (ordinal) => migrateEvery > 0 && turnOf(ordinal, islands.length) % migrateEvery === 0,
          elites: strangers(islands, number),
        },
      },
      policy,
    );
  });
  return contiguous(
    jobs.sort((a, b) => a.ordinal - b.ordinal),
    nextOrdinal,
  );
}

/** How many jobs its island has had with this one. */
function turnOf(ordinal: number, islands: number): number {
  return Math.floor((ordinal - 1) / islands) + 1;
}

/** In the order of islands, cells and settlement: one that every replay has. */
function strangers(islands: readonly IslandView[], own: number): Migrant[] {
  return islands.flatMap(({ population }, island) => (island === own ? [] : retained(population, island)));
}

function retained({ archive }: Readonly<Population>, island: number): Migrant[] {
  return archive === null ? [] : elites(archive).map(({ entry }) => ({ island, ordinal: entry.ordinal }));
}

/** Ordinals have no gaps: where one island gives fewer jobs than asked for, its turn waits for the next planning. */
function contiguous(jobs: readonly JobSpec[], nextOrdinal: number): JobSpec[] {
  const gap = jobs.findIndex((job, index) => job.ordinal !== nextOrdinal + index);
  return gap === -1 ? [...jobs] : jobs.slice(0, gap);
}
