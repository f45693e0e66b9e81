import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArchipelagoView, islandOf, planBatch, planIslands } from '../../src/policy/index.ts';
import { elites, recipeKey, restorePopulation } from '../../src/qd/index.ts';
import { history, SETTINGS, viewOf } from './views.ts';

/** Islands with `settled` entries each: the root and their own. */
function archipelago(islands: number, settled: number, changes: Partial<ArchipelagoView> = {}): ArchipelagoView {
  const { seed, inspirations } = viewOf(1);
  return {
    seed,
    inspirations,
    islands: Array.from({ length: islands }, (_, island) => ({
      population: restorePopulation(SETTINGS, history(settled, islands, island)),
      recentRecipes: [],
    })),
    migrateEvery: 0,
    nextOrdinal: islands * (settled - 1) + 1,
    count: 4,
    ...changes,
  };
}

const retained = (view: ArchipelagoView, island: number): number[] => {
  const archive = view.islands[island]?.population.archive ?? null;
  return archive === null ? [] : elites(archive).map(({ entry }) => entry.ordinal);
};

describe('islands', () => {
  it('take turns, whatever the batches', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.nat(12),
        fc.integer({ min: 1, max: 30 }),
        (islands, count, from) => {
          const jobs = planIslands(archipelago(islands, 3, { nextOrdinal: from, count }));
          expect(jobs.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: count }, (_, i) => from + i));
          for (const { ordinal, island } of jobs) expect(island).toBe(islandOf(ordinal, islands));
        },
      ),
    );
    expect([1, 2, 3, 4].map((ordinal) => islandOf(ordinal, 3))).toEqual([0, 1, 2, 0]);
  });

  it('of one are the plain policy', () => {
    expect(planIslands(archipelago(1, 40))).toEqual(planBatch(viewOf(40)));
  });

  it('use their own archive, epoch and warm-up', () => {
    const view = archipelago(2, 40);
    const [first] = view.islands;
    if (first === undefined) throw new Error('two islands');
    const young = restorePopulation(SETTINGS, history(3, 2, 1));
    const mixed = { ...view, islands: [first, { population: young, recentRecipes: [] }] };
    for (const { island, base, inspirations, decision } of planIslands(mixed)) {
      if (island === 1) expect(decision).toMatchObject({ reason: 'warmup', have: 3 });
      else for (const ordinal of [base, ...inspirations]) expect(retained(view, 0)).toContain(ordinal);
    }
  });

  it('draw differently from each other', () => {
    const view = archipelago(2, 40, { count: 2 });
    const same = { ...view, islands: [view.islands[0], view.islands[0]].flatMap((island) => island ?? []) };
    const [a, b] = planIslands(same);
    expect([a?.base, a?.inspirations]).not.toEqual([b?.base, b?.inspirations]);
  });
});

describe('migration', () => {
  const jobsOf = (migrateEvery: number, changes: Partial<ArchipelagoView> = {}) => {
    const view = archipelago(3, 40, { migrateEvery, count: 30, ...changes });
    return { view, jobs: planIslands(view) };
  };

  it('happens on every K-th job of each island and on no other', () => {
    const { jobs } = jobsOf(4);
    const turns = new Map<number, number>([0, 1, 2].map((island) => [island, 39]));
    for (const { island, decision } of jobs) {
      const turn = (turns.get(island) ?? 0) + 1;
      turns.set(island, turn);
      expect(decision.reason === 'archive' && decision.migrant !== undefined).toBe(turn % 4 === 0);
    }
  });

  it('never happens at 0', () => {
    for (const { decision } of jobsOf(0).jobs) expect(decision).not.toHaveProperty('migrant');
  });

  it('gives the last inspiration to an elite of the island that the decision names; the base stays local', () => {
    const { view, jobs } = jobsOf(1);
    for (const { island, base, inspirations, recipe, decision } of jobs) {
      if (decision.reason !== 'archive' || decision.migrant == null) throw new Error('every job takes a migrant');
      const { migrant } = decision;
      expect(migrant.island).not.toBe(island);
      expect(retained(view, migrant.island)).toContain(migrant.ordinal);
      expect(retained(view, island)).toContain(base);
      expect(inspirations).toHaveLength(2);
      expect(inspirations.at(-1)).toBe(migrant.ordinal);
      expect(new Set([base, ...inspirations]).size).toBe(3);
      expect(migrant.ordinal).not.toBe(0);
      expect(recipe).toBe(recipeKey(base, inspirations));
    }
    expect(new Set(jobs.map(({ inspirations }) => inspirations.at(-1))).size).toBeGreaterThan(5);
  });

  it('says so when nobody could come: the others are still warming up', () => {
    const view = archipelago(2, 40, { migrateEvery: 1, count: 1, nextOrdinal: 79 });
    const young = { population: restorePopulation(SETTINGS, history(2, 2, 1)), recentRecipes: [] };
    const [job] = planIslands({ ...view, islands: [...view.islands.slice(0, 1), young] });
    expect(job?.decision).toMatchObject({ reason: 'archive', migrant: null });
    expect(job?.inspirations).toHaveLength(2);
  });

  it('leaves recipes without inspirations alone', () => {
    const inspirations = { ...viewOf(1).inspirations, count: 0 };
    for (const { decision, inspirations: drawn } of jobsOf(1, { inspirations }).jobs) {
      expect(decision).not.toHaveProperty('migrant');
      expect(drawn).toEqual([]);
    }
  });
});

describe('a serial policy on islands', () => {
  it('has one job at a time on each, and its turn waits for the one in flight', () => {
    const view = archipelago(2, 5, { count: 4, nextOrdinal: 9 });
    const jobs = planIslands(view, 'sequential-champion');
    expect(jobs.map(({ ordinal, island }) => [ordinal, island])).toEqual([
      [9, 0],
      [10, 1],
    ]);
    const islands = view.islands.map((island, number) => ({
      ...island,
      inFlight: jobs.filter((job) => job.island === number),
    }));
    expect(planIslands({ ...view, islands, nextOrdinal: 11 }, 'sequential-champion')).toEqual([]);
    // The other island's job landed first; ordinals have no gaps, so it waits for its turn.
    const [waiting, free] = islands;
    if (waiting === undefined || free === undefined) throw new Error('two islands');
    const landed = { ...view, islands: [waiting, { ...free, inFlight: [] }], nextOrdinal: 11 };
    expect(planIslands(landed, 'sequential-champion')).toEqual([]);
  });
});
