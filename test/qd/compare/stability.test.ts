import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellOf, createPopulation, gridUse, project, replay, settle } from '../../../src/qd/index.ts';
import { histories, SETTINGS } from '../samples.ts';

describe('the use of the grid', () => {
  it('counts what a plain replay counts', () => {
    fc.assert(
      fc.property(histories(40), (history) => {
        const use = gridUse(SETTINGS, history);
        const population = createPopulation(SETTINGS);
        const first = new Map<number, number>();
        for (const entry of history) {
          const settlement = settle(population, entry);
          const { archive } = population;
          if (archive === null || settlement.kind === 'duplicate') continue;
          // Everybody placed for the first time, with the verdict of a replay of all before and under the projection of now.
          const placements = replay(SETTINGS, archive.projection, population.history).placements;
          for (const { ordinal, verdict, cell } of placements) {
            if (first.has(ordinal)) continue;
            first.set(ordinal, verdict === 'rejected' ? -1 : cell);
          }
        }
        const { archive } = population;
        const admitted = [...first].filter(([, cell]) => cell >= 0);
        const moved = admitted.filter(([ordinal, cell]) => {
          const entry = history.find((other) => other.ordinal === ordinal);
          if (archive === null || entry === undefined) throw new Error('it was admitted');
          return cellOf(project(archive.projection, entry.vector), archive.grid) !== cell;
        });
        expect(use).toEqual({
          cells: 16,
          occupied: archive?.fronts.size ?? 0,
          admitted: admitted.length,
          moved: moved.length / admitted.length,
          epochs: population.epoch,
        });
      }),
    );
  });

  it('sees nobody move while the projection stays', () => {
    const settings = { ...SETTINGS, projection: { ...SETTINGS.projection, refit: 0 } };
    const [history = []] = fc.sample(
      histories(60).filter(({ length }) => length > 30),
      { numRuns: 1, seed: 1 },
    );
    expect(gridUse(settings, history)).toMatchObject({ epochs: 1, moved: 0 });
  });
});
