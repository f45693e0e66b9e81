import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellCoordinates,
  chebyshev,
  generatorFor,
  type Recipe,
  recipeKey,
  type SamplerSettings,
  sampleRecipe,
  type Usage,
} from '../../src/qd/index.ts';
import { archiveWith } from './samples.ts';

const settings: SamplerSettings = { count: 2, radius: 1, maxRadius: 3, fallback: 8 };
const unused: Usage = { bases: new Set(), recipes: new Set() };
const rngFor = (seed: number) => generatorFor({ seed, island: 0, ordinal: 1, purpose: 'recipe' });

/** 1 … 16 occupied cells of 4 × 4 with 1 … 3 members each; the ordinal's hundreds tell the cell. */
const archives = fc
  .dictionary(fc.nat(15).map(String), fc.integer({ min: 1, max: 3 }), { minKeys: 1, maxKeys: 16 })
  .map((sizes) =>
    Object.fromEntries(
      Object.entries(sizes).map(([cell, size]) => [
        cell,
        Array.from({ length: size }, (_, i) => Number(cell) * 100 + i),
      ]),
    ),
  );
const wanted = fc.record({
  count: fc.nat(6),
  radius: fc.nat(1),
  maxRadius: fc.integer({ min: 1, max: 3 }),
  fallback: fc.nat(3),
});

describe('sampleRecipe', () => {
  it('draws base and inspirations from the archive, none twice, the nearest rings first', () => {
    fc.assert(
      fc.property(archives, wanted, fc.nat(), (fronts, settings, seed) => {
        const archive = archiveWith(fronts);
        const recipe = sampleRecipe(archive, unused, settings, rngFor(seed));
        const everyone = Object.values(fronts).flat();
        const position = (ordinal: number) => cellCoordinates(Math.floor(ordinal / 100), archive.grid);
        const distance = (ordinal: number) => chebyshev(position(recipe.base), position(ordinal));
        const others = everyone.filter((ordinal) => ordinal !== recipe.base);
        const { inspirations } = recipe;

        expect(fronts[recipe.cell]).toContain(recipe.base);
        expect(new Set(inspirations).size).toBe(inspirations.length);
        for (const ordinal of inspirations) expect(others).toContain(ordinal);

        const near = others.filter((ordinal) => distance(ordinal) <= settings.maxRadius).length;
        const far = Math.min(others.length - near, settings.fallback, Math.max(0, settings.count - near));
        expect(inspirations.length).toBe(Math.min(settings.count, near) + far);
        expect(recipe.fallback).toBe(far);

        // Whoever was left out lies no nearer than the farthest who was taken; all within the first radius count as one
        // ring, and so do all beyond the last.
        const ring = (ordinal: number) =>
          Math.min(Math.max(distance(ordinal), settings.radius), settings.maxRadius + 1);
        const farthest = Math.max(settings.radius, ...inspirations.map(ring));
        const leftOut = others.filter((ordinal) => !inspirations.includes(ordinal));
        if (settings.count > 0) for (const ordinal of leftOut) expect(ring(ordinal)).toBeGreaterThanOrEqual(farthest);
        expect(inspirations.map(ring)).toEqual(inspirations.map(ring).sort((a, b) => a - b));
        const grown = inspirations.length - far < settings.count ? settings.maxRadius : farthest;
        expect(recipe.radius).toBe(Math.max(settings.radius, grown));
      }),
    );
  });

  it('says truly what it repeats, and resamples only then', () => {
    const usages = fc.record({
      bases: fc.uniqueArray(fc.constantFrom(0, 100, 200, 300)),
      pairs: fc.array(fc.tuple(fc.constantFrom(0, 100, 200, 300), fc.constantFrom(0, 100, 200, 300))),
    });
    fc.assert(
      fc.property(usages, fc.nat(), ({ bases, pairs }, seed) => {
        const archive = archiveWith({ 0: [0], 1: [100], 2: [200], 3: [300] });
        const usage = { bases: new Set<number>(bases), recipes: new Set(pairs.map(([a, b]) => recipeKey(a, [b]))) };
        const recipe = sampleRecipe(archive, usage, { ...settings, count: 1 }, rngFor(seed));
        expect(recipe.baseReused).toBe(usage.bases.has(recipe.base));
        expect(recipe.recipeReused).toBe(usage.recipes.has(recipeKey(recipe.base, recipe.inspirations)));
        expect(recipe.resamples).toBeLessThanOrEqual(32);
        if (recipe.baseReused || recipe.recipeReused) expect(recipe.resamples).toBe(32);
      }),
    );
  });

  it('avoids used bases and used recipes while there are others', () => {
    const archive = archiveWith({ 0: [0], 1: [100, 101] });
    for (let seed = 0; seed < 200; seed++) {
      const bases = new Set([0, 100]);
      expect(sampleRecipe(archive, { ...unused, bases }, settings, rngFor(seed)).base).toBe(101);
      const recipes = new Set([recipeKey(0, [100]), recipeKey(100, [0]), recipeKey(101, [0])]);
      const recipe = sampleRecipe(archive, { ...unused, recipes }, { ...settings, count: 1 }, rngFor(seed));
      expect(recipe.recipeReused).toBe(false);
    }
  });

  it('looks for a new recipe even when every base is used', () => {
    const archive = archiveWith({ 0: [0, 1, 2, 3] });
    const bases = new Set([0, 1, 2, 3]);
    const recipes = new Set([0, 1, 2, 3].map((base) => recipeKey(base, [base === 0 ? 1 : 0])));
    for (let seed = 0; seed < 200; seed++) {
      const recipe = sampleRecipe(archive, { bases, recipes }, { ...settings, count: 1 }, rngFor(seed));
      expect(recipe).toMatchObject({ baseReused: true, recipeReused: false, resamples: 32 });
    }
  });

  it('accepts a repeated recipe from an archive with a single member', () => {
    const usage = { bases: new Set([7]), recipes: new Set([recipeKey(7, [])]) };
    const recipe: Recipe = sampleRecipe(archiveWith({ 5: [7] }), usage, settings, rngFor(1));
    expect(recipe).toEqual({
      base: 7,
      inspirations: [],
      cell: 5,
      baseReused: true,
      recipeReused: true,
      resamples: 32,
      radius: 3,
      fallback: 0,
    });
  });

  it('gives each occupied cell the same chance as base, however full its front', () => {
    const archive = archiveWith({ 3: [300], 9: [900, 901, 902], 12: [1200, 1201] });
    const counts = new Map<number, number>();
    const rng = rngFor(1);
    for (let i = 0; i < 6000; i++) {
      const { base } = sampleRecipe(archive, unused, settings, rng);
      counts.set(base, (counts.get(base) ?? 0) + 1);
    }
    const expected = { 300: 2000, 900: 667, 901: 667, 902: 667, 1200: 1000, 1201: 1000 };
    for (const [base, count] of Object.entries(expected)) {
      expect(Math.abs((counts.get(Number(base)) ?? 0) - count)).toBeLessThan(4 * Math.sqrt(count));
    }
  });

  it('gives each cell around the base the same chance as inspiration, and passes nobody over', () => {
    const archive = archiveWith({ 0: [0], 1: [100], 4: [400, 401, 402] });
    const counts = new Map<number, number>();
    const rng = rngFor(2);
    for (let i = 0; i < 3000; i++) {
      const { inspirations } = sampleRecipe(
        archive,
        { ...unused, bases: new Set([100, 400, 401, 402]) },
        { ...settings, count: 1 },
        rng,
      );
      for (const ordinal of inspirations) counts.set(ordinal, (counts.get(ordinal) ?? 0) + 1);
    }
    for (const [ordinal, count] of Object.entries({ 100: 1500, 400: 500, 401: 500, 402: 500 })) {
      expect(Math.abs((counts.get(Number(ordinal)) ?? 0) - count)).toBeLessThan(4 * Math.sqrt(count));
    }
  });

  it('does not depend on the order the cells were opened in', () => {
    fc.assert(
      fc.property(archives, fc.nat(), (fronts, seed) => {
        const [live, other] = [archiveWith(fronts), archiveWith({})];
        for (const [cell, front] of [...live.fronts].reverse()) other.fronts.set(cell, front);
        expect(sampleRecipe(other, unused, settings, rngFor(seed))).toEqual(
          sampleRecipe(live, unused, settings, rngFor(seed)),
        );
      }),
    );
  });

  it('has nothing to draw from an empty archive', () => {
    expect(() => sampleRecipe(archiveWith({}), unused, settings, rngFor(1))).toThrow(RangeError);
  });
});

describe('recipeKey', () => {
  it('is the same for inspirations in another order, and different for other numbers', () => {
    expect(recipeKey(1, [10, 9])).toBe(recipeKey(1, [9, 10]));
    expect(recipeKey(1, [9, 10])).not.toBe(recipeKey(1, [910]));
    expect(recipeKey(1, [2])).not.toBe(recipeKey(2, [1]));
  });
});
