import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOf, createArchive, elites, fitProjection, offer, place, project, replay } from '../../src/qd/index.ts';
import { histories, ordinals, SETTINGS } from './samples.ts';

describe('the archive', () => {
  it('is the fold of its placements: replaying a history gives the live archive at every moment', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        const projection = fitProjection(
          history.map(({ vector }) => vector),
          SETTINGS.projection,
        );
        const live = createArchive(SETTINGS, projection);
        const placements = history.map((entry, i) => {
          const placement = place(live, entry);
          const again = replay(SETTINGS, projection, history.slice(0, i + 1));
          expect(elites(again.archive)).toEqual(elites(live));
          return placement;
        });
        expect(replay(SETTINGS, projection, history).placements).toEqual(placements);
      }),
      { numRuns: 40 },
    );
  });

  it('has in each cell the front of what fell there, and its placements account for every change', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        const projection = fitProjection(
          history.map(({ vector }) => vector),
          SETTINGS.projection,
        );
        const { archive, placements } = replay(SETTINGS, projection, history);
        const retained = new Map<number, Set<number>>();
        for (const { ordinal, verdict, reason, cell, evicted } of placements) {
          expect(verdict === 'new').toBe(!retained.has(cell));
          expect(reason === 'empty').toBe(verdict === 'new');
          const members = retained.get(cell) ?? new Set();
          for (const gone of evicted) expect(members.delete(gone)).toBe(true);
          if (verdict !== 'rejected') members.add(ordinal);
          retained.set(cell, members);
        }
        for (const [cell, members] of retained) {
          const here = history.filter(({ vector }) => cellOf(project(projection, vector), archive.grid) === cell);
          const front = here.reduce((kept, entry) => [...offer(kept, entry, archive.front).front], here.slice(0, 0));
          expect(ordinals(archive.fronts.get(cell) ?? [])).toEqual(ordinals(front));
          expect(ordinals(front)).toEqual([...members]);
        }
      }),
    );
  });

  it('lists its elites by cell, whatever the order the cells were opened in', () => {
    fc.assert(
      fc.property(histories(), (history) => {
        const projection = fitProjection(
          history.map(({ vector }) => vector),
          SETTINGS.projection,
        );
        const cells = elites(replay(SETTINGS, projection, history).archive).map(({ cell }) => cell);
        expect(cells).toEqual([...cells].sort((a, b) => a - b));
      }),
    );
  });

  it('gives placements that survive JSON', () => {
    const entry = { ordinal: 0, point: Float64Array.of(1, 2), vector: Float32Array.of(1, 0) };
    const [placement] = replay(SETTINGS, fitProjection([entry.vector], SETTINGS.projection), [entry]).placements;
    expect(JSON.parse(JSON.stringify(placement))).toEqual(placement);
    expect(placement).toEqual({
      ordinal: 0,
      verdict: 'new',
      reason: 'empty',
      cell: 10,
      coordinates: [0.5, 0.5],
      evicted: [],
    });
  });

  it('leaves the archive alone when an entry does not fit', () => {
    const projection = fitProjection([Float32Array.of(1, 0)], SETTINGS.projection);
    const archive = createArchive(SETTINGS, projection);
    const entry = { ordinal: 0, point: Float64Array.of(1, 2), vector: Float32Array.of(1, 0) };
    expect(() => place(archive, { ...entry, point: Float64Array.of(1) })).toThrow(RangeError);
    expect(() => place(archive, { ...entry, vector: Float32Array.of(1) })).toThrow(RangeError);
    expect(elites(archive)).toEqual([]);
  });

  it('refuses settings that make no archive', () => {
    const projection = fitProjection([Float32Array.of(1, 0)], SETTINGS.projection);
    const wrong = [
      { ...SETTINGS, front: { rule: 'box' as const, capacity: 0 } },
      { ...SETTINGS, grid: { cells: 0 } },
      { ...SETTINGS, grid: { cells: 2 ** 30 } },
      { ...SETTINGS, objectives: [] },
      { ...SETTINGS, objectives: [{ name: 'x', direction: 'maximize' as const, epsilon: -1 }] },
    ];
    for (const settings of wrong) expect(() => createArchive(settings, projection)).toThrow(RangeError);
  });
});
