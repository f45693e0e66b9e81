import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planBatch } from '../../src/policy/index.ts';
import { elites, recipeKey } from '../../src/qd/index.ts';
import { viewOf } from './views.ts';

describe('quality-diversity', () => {
  it('goes on from the root until the warm-up is complete, and says how far it is', () => {
    const jobs = planBatch(viewOf(5));
    expect(jobs.map(({ ordinal }) => ordinal)).toEqual([5, 6, 7, 8]);
    for (const job of jobs) {
      expect(job).toMatchObject({ island: 0, base: 0, inspirations: [], recipe: recipeKey(0, []) });
      expect(job.decision).toEqual({
        policy: 'quality-diversity',
        version: 5,
        reason: 'warmup',
        have: 5,
        need: 6,
      });
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

  it('avoids the bases and recipes of jobs in flight', () => {
    for (let seed = 0; seed < 50; seed++) {
      const view = viewOf(40, { seed });
      const inFlight = planBatch(view);
      const [next] = planBatch({ ...view, nextOrdinal: 44, count: 1, inFlight });
      expect(inFlight.map(({ base }) => base)).not.toContain(next?.base);
    }
  });
});
