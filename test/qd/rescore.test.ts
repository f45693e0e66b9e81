import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPopulation,
  type Entry,
  elites,
  occupiedCells,
  type Placement,
  replay,
  rescore,
  restorePopulation,
  type Score,
  settle,
} from '../../src/qd/index.ts';
import { histories, SETTINGS, stateOf } from './samples.ts';

const value = fc.integer({ min: -12, max: 12 }).map((quarters) => quarters / 4);
const score: fc.Arbitrary<Score> = fc.record({
  point: fc.tuple(value, value).map((point) => Float64Array.from(point)),
  bound: fc.constantFrom(null, -1, 2),
  withdrawn: fc.boolean(),
});
/** What happens to a population: the next entry is settled, or one of those in it gets another score. */
const changes = fc.array(fc.option(fc.record({ who: fc.nat(), score }), { freq: 2 }), { maxLength: 80 });

describe('a new score of a settled entry', () => {
  it('gives the population that replaying the whole history with the present scores gives, and its placements', () => {
    fc.assert(
      fc.property(histories(40), changes, (entries, script) => {
        const settings = { ...SETTINGS, front: { rule: 'box', capacity: 2 } } as const;
        const live = createPopulation(settings);
        const waiting = [...entries];
        const offered: Entry[] = [];
        let rows = new Map<number, Placement>();
        for (const change of script) {
          if (change === null) {
            const next = waiting.shift();
            if (next === undefined) continue;
            offered.push(next);
            const settled = settle(live, next);
            if (settled.kind === 'placed') rows.set(settled.placement.ordinal, settled.placement);
            if (settled.kind === 'refitted') rows = new Map(settled.placements.map((row) => [row.ordinal, row]));
          } else if (live.history.length > 0) {
            const old = live.history[change.who % live.history.length];
            if (old === undefined) throw new Error('no entry');
            const refolded = rescore(live, old.ordinal, change.score);
            expect(refolded === null).toBe(live.archive === null);
            for (const row of refolded?.placements ?? []) rows.set(row.ordinal, row);
            const at = offered.findIndex(({ ordinal }) => ordinal === old.ordinal);
            offered.splice(at, 1, { ...old, ...change.score });
          }
          expect(stateOf(live)).toEqual(stateOf(restorePopulation(settings, offered)));
          if (live.archive === null) continue;
          const { archive, placements } = replay(settings, live.archive.projection, live.history);
          expect(placements).toEqual(live.history.map((entry) => rows.get(entry.ordinal)));
          expect(live.archive.offered).toEqual(archive.offered);
        }
      }),
    );
  });

  it('keeps what is withdrawn out of every front, also as the only one of its cell, until it is given a score again', () => {
    const entries = Array.from({ length: 8 }, (_, ordinal) => ({
      ordinal,
      point: Float64Array.of(ordinal, 0),
      vector: Float32Array.from({ length: 6 }, (_, at) => Math.sin(ordinal * 7 + at * 3)),
    }));
    const population = restorePopulation({ ...SETTINGS, grid: { cells: 64 } }, entries);
    if (population.archive === null) throw new Error('still warming up');
    const before = occupiedCells(population.archive);
    const alone = elites(population.archive)[0];
    if (alone === undefined) throw new Error('an empty archive');
    const { ordinal, point } = alone.entry;
    rescore(population, ordinal, { point, bound: null, withdrawn: true });
    expect(elites(population.archive).map(({ entry }) => entry.ordinal)).not.toContain(ordinal);
    expect(occupiedCells(population.archive)).toEqual(before.filter((cell) => cell !== alone.cell));
    rescore(population, ordinal, { point, bound: null, withdrawn: false });
    expect(occupiedCells(population.archive)).toEqual(before);
  });

  it('refuses an ordinal that is not there and a point that does not fit', () => {
    const population = createPopulation(SETTINGS);
    settle(population, { ordinal: 0, point: Float64Array.of(1, 1), vector: new Float32Array(6) });
    expect(() => rescore(population, 1, { point: Float64Array.of(1, 1) })).toThrow('candidate 1 is not in the history');
    expect(() => rescore(population, 0, { point: Float64Array.of(1) })).toThrow('expected 2 finite scores');
    expect(() => rescore(population, 0, { point: Float64Array.of(1, Number.NaN) })).toThrow(RangeError);
    expect([...(population.history[0]?.point ?? [])]).toEqual([1, 1]);
  });
});
