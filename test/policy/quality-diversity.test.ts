import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PolicyView, planBatch, policies } from '../../src/policy/index.ts';
import {
  type Entry,
  elites,
  generatorFor,
  type PopulationSettings,
  recipeKey,
  restorePopulation,
} from '../../src/qd/index.ts';

const SETTINGS: PopulationSettings = {
  objectives: [{ name: 'speed', direction: 'maximize', epsilon: 0 }],
  warmup: 6,
  projection: { dimensions: 2, clip: 3, refit: 8, history: 4096 },
  grid: { cells: 4 },
  front: { rule: 'box', capacity: 4 },
};

function history(count: number): Entry[] {
  const rng = generatorFor({ seed: 5, island: 0, ordinal: 0, purpose: 'history' });
  return Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    point: Float64Array.of(rng.unit()),
    vector: ordinal === 0 ? new Float32Array(8) : Float32Array.from({ length: 8 }, () => rng.unit() - 0.5),
  }));
}

function viewOf(settled: number, changes: Partial<PolicyView> = {}): PolicyView {
  return {
    seed: 20260821,
    island: 0,
    population: restorePopulation(SETTINGS, history(settled)),
    inspirations: { count: 2, radius: 1, maxRadius: 3, fallback: 8, cooldown: 64 },
    nextOrdinal: settled,
    count: 4,
    recentRecipes: [],
    ...changes,
  };
}

describe('quality-diversity', () => {
  it('goes on from the root until the warm-up is complete, and says how far it is', () => {
    const jobs = planBatch(viewOf(5));
    expect(jobs.map(({ ordinal }) => ordinal)).toEqual([5, 6, 7, 8]);
    for (const job of jobs) {
      expect(job).toMatchObject({ island: 0, base: 0, inspirations: [], recipe: recipeKey(0, []) });
      expect(job.decision).toEqual({ policy: 'quality-diversity', reason: 'warmup', have: 5, need: 6 });
    }
  });

  it('then takes bases and inspirations from the archive', () => {
    const view = viewOf(40);
    const { archive } = view.population;
    if (archive === null) throw new Error('the warm-up should be over');
    const retained = new Map(elites(archive).map(({ cell, entry }) => [entry.ordinal, cell]));
    const jobs = planBatch(view);
    for (const { base, inspirations, recipe, decision } of jobs) {
      expect(inspirations).toHaveLength(2);
      for (const ordinal of [base, ...inspirations]) expect(retained.has(ordinal)).toBe(true);
      expect(recipe).toBe(recipeKey(base, inspirations));
      expect(decision).toMatchObject({ reason: 'archive', epoch: view.population.epoch, cell: retained.get(base) });
    }
  });

  it('tries each base once a batch, whatever the seed', () => {
    for (let seed = 0; seed < 50; seed++) {
      const bases = planBatch(viewOf(40, { seed })).map(({ base }) => base);
      expect(new Set(bases).size).toBe(bases.length);
    }
  });

  it('explains itself in plain JSON', () => {
    for (const { decision } of [...planBatch(viewOf(3)), ...planBatch(viewOf(40))]) {
      expect(JSON.parse(JSON.stringify(decision))).toEqual(decision);
    }
  });

  it('plans the same batch for the same view, after a restart too', () => {
    expect(planBatch(viewOf(40))).toEqual(planBatch(viewOf(40)));
    expect(planBatch(viewOf(40, { seed: 1 }))).not.toEqual(planBatch(viewOf(40)));
  });

  it('avoids the recipes of the last `cooldown` jobs, and only those', () => {
    const single = { count: 0, radius: 1, maxRadius: 3, fallback: 8 }; // without inspirations a recipe is its base
    const fresh = viewOf(40, { count: 1, inspirations: { ...single, cooldown: 2 } });
    const [usual] = planBatch(fresh);
    if (usual === undefined) throw new Error('a job was asked for');
    const chosen = (recentRecipes: string[], cooldown = 2) =>
      planBatch({ ...fresh, recentRecipes, inspirations: { ...single, cooldown } })[0]?.recipe;
    expect(chosen([usual.recipe, 'x:'])).not.toBe(usual.recipe);
    expect(chosen([usual.recipe, 'x:', 'y:'])).toBe(usual.recipe);
    expect(chosen([usual.recipe], 0)).toBe(usual.recipe);
  });

  it('gives as many jobs as were asked for, also from an archive with less to offer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(30), (settled, count) => {
        const jobs = planBatch(viewOf(settled, { count }));
        expect(jobs.map(({ ordinal }) => ordinal)).toEqual(Array.from({ length: count }, (_, i) => settled + i));
        const used = new Set<string>();
        for (const { recipe, decision } of jobs) {
          if (decision.reason === 'archive') expect(decision.recipeReused).toBe(used.has(recipe));
          used.add(recipe);
        }
      }),
    );
  });

  it('is found by its name', () => {
    expect(Object.keys(policies)).toEqual(['quality-diversity']);
    expect(planBatch(viewOf(40), 'quality-diversity')).toEqual(policies['quality-diversity'].planBatch(viewOf(40)));
  });
});
