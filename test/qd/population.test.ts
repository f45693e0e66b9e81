import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPopulation,
  decodeProjection,
  type Entry,
  encodeProjection,
  type Fit,
  fitProjection,
  generatorFor,
  replay,
  restorePopulation,
  settle,
} from '../../src/qd/index.ts';
import { histories, SETTINGS, stateOf } from './samples.ts';

function entries(count: number): Entry[] {
  const rng = generatorFor({ seed: 3, island: 0, ordinal: count, purpose: 'entries' });
  return Array.from({ length: count }, (_, ordinal) => ({
    ordinal,
    point: Float64Array.of(rng.unit(), rng.unit()),
    vector: ordinal === 0 ? new Float32Array(8) : Float32Array.from({ length: 8 }, () => rng.unit() - 0.5),
  }));
}

describe('a population', () => {
  it('warms up, fits, and fits again after every `refit` entries', () => {
    const population = createPopulation(SETTINGS);
    const kinds = entries(17).map((entry) => settle(population, entry).kind);
    const [warming, placed] = [Array(5).fill('warming'), Array(4).fill('placed')];
    expect(kinds).toEqual([...warming, 'refitted', ...placed, 'refitted', ...placed, 'refitted', 'placed']);
    expect(population.epoch).toBe(3);
  });

  it('counts the warm-up, the root included', () => {
    const population = createPopulation(SETTINGS);
    const [root, first] = entries(2).map((entry) => settle(population, entry));
    expect(root).toEqual({ kind: 'warming', have: 1, need: 6 });
    expect(first).toEqual({ kind: 'warming', have: 2, need: 6 });
  });

  it('places the whole history anew in each epoch, also what had been rejected or had left', () => {
    const population = createPopulation(SETTINGS);
    const all = entries(31);
    for (const [i, entry] of all.entries()) {
      const settlement = settle(population, entry);
      if (settlement.kind !== 'refitted') continue;
      const { placements } = replay(SETTINGS, settlement.projection, all.slice(0, i + 1));
      expect(settlement.placements).toEqual(placements);
      expect(settlement.placements.map(({ ordinal }) => ordinal)).toEqual(
        all.slice(0, i + 1).map(({ ordinal }) => ordinal),
      );
    }
    expect(population.epoch).toBe(6);
  });

  it('fits on the last `history` entries and tells the previous projection and the epoch', () => {
    const asked: { length: number; last: Float32Array | undefined; aligned: boolean; epoch: number }[] = [];
    const fit: Fit = (vectors, settings, previous, epoch) => {
      asked.push({ length: vectors.length, last: vectors.at(-1), aligned: previous !== null, epoch });
      return fitProjection(vectors, settings, previous);
    };
    const all = entries(31);
    restorePopulation(SETTINGS, all, fit);
    expect(asked.map(({ length }) => length)).toEqual([6, 11, 16, 20, 20, 20]);
    expect(asked.map(({ aligned }) => aligned)).toEqual([false, true, true, true, true, true]);
    expect(asked.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(asked.at(-1)?.last).toBe(all.at(-1)?.vector);
  });

  it('keeps its first projection when `refit` is 0', () => {
    const settings = { ...SETTINGS, projection: { ...SETTINGS.projection, refit: 0 } };
    expect(restorePopulation(settings, entries(40)).epoch).toBe(1);
  });

  it('keeps the root out where it is told to, as if it had never come', () => {
    const settings = { ...SETTINGS, placeRoot: false };
    const all = entries(20);
    const population = createPopulation(settings);
    const [first] = all.map((entry) => settle(population, entry));
    expect(first).toEqual({ kind: 'warming', have: 0, need: 6 });
    const without = restorePopulation(SETTINGS, all.slice(1));
    expect(stateOf(population)).toEqual(stateOf(without));
    expect(stateOf(restorePopulation(settings, all))).toEqual(stateOf(without));
  });

  it('takes each identity once, and an entry without one always', () => {
    const population = createPopulation(SETTINGS);
    const [a, b, c, d] = entries(4);
    if (!a || !b || !c || !d) throw new Error('four entries');
    settle(population, { ...a, identity: 'x' });
    expect(settle(population, { ...b, identity: 'x' })).toEqual({ kind: 'duplicate', of: 0 });
    expect(settle(population, { ...c, identity: null })).toMatchObject({ kind: 'warming', have: 2 });
    expect(settle(population, { ...d, identity: null })).toMatchObject({ kind: 'warming', have: 3 });
  });

  it('is the same after a restart at any moment, with or without the stored projections', () => {
    const restarts = histories().chain((history) => fc.tuple(fc.constant(history), fc.nat(history.length)));
    fc.assert(
      fc.property(restarts, ([history, at]) => {
        const stored = new Map<number, Uint8Array>();
        const storing: Fit = (vectors, settings, previous, epoch) => {
          const projection = fitProjection(vectors, settings, previous);
          stored.set(epoch, encodeProjection(projection));
          return projection;
        };
        const lookUp: Fit = (vectors, settings, previous, epoch) => {
          const bytes = stored.get(epoch);
          return bytes === undefined ? fitProjection(vectors, settings, previous) : decodeProjection(bytes);
        };
        const live = createPopulation(SETTINGS);
        for (const entry of history.slice(0, at)) settle(live, entry, storing);
        const restored = restorePopulation(SETTINGS, history.slice(0, at), lookUp);
        const refitted = restorePopulation(SETTINGS, history.slice(0, at));
        for (const entry of history.slice(at)) {
          const settlement = settle(live, entry);
          expect(settle(restored, entry)).toEqual(settlement);
          expect(settle(refitted, entry)).toEqual(settlement);
        }
        expect(stateOf(restored)).toEqual(stateOf(live));
        expect(stateOf(refitted)).toEqual(stateOf(live));
      }),
    );
  });

  it('is as it was when an entry is refused or a fit fails', () => {
    const failing: Fit = () => {
      throw new Error('out of memory');
    };
    fc.assert(
      fc.property(histories(20), (history) => {
        const population = restorePopulation(SETTINGS, history);
        const before = structuredClone(stateOf(population));
        const next = { ...entries(1)[0], ordinal: 99, point: Float64Array.of(1, 2), vector: new Float32Array(6) };
        const wrong = [
          { ...next, ordinal: history[0]?.ordinal ?? 0 },
          { ...next, point: Float64Array.of(1) },
          { ...next, point: Float64Array.of(1, Number.NaN) },
          { ...next, vector: new Float32Array(7) },
          { ...next, vector: Float32Array.of(0, 0, 0, 0, 0, Infinity) },
        ];
        for (const entry of wrong) expect(() => settle(population, entry)).toThrow(RangeError);
        expect(stateOf(population)).toEqual(before);

        const unlucky = createPopulation({ ...SETTINGS, warmup: 1 });
        expect(() => settle(unlucky, next, failing)).toThrow('out of memory');
        expect(stateOf(unlucky)).toEqual(stateOf(createPopulation(SETTINGS)));
      }),
    );
  });

  it('refuses settings that make no population', () => {
    const { projection } = SETTINGS;
    for (const settings of [
      { ...SETTINGS, warmup: 0 },
      { ...SETTINGS, projection: { ...projection, refit: -1 } },
      { ...SETTINGS, projection: { ...projection, history: 0 } },
    ]) {
      expect(() => createPopulation(settings)).toThrow(RangeError);
    }
  });
});
