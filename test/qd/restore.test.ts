import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPopulation,
  dueFit,
  type Fit,
  fitProjection,
  type Projection,
  restorePopulation,
  runFit,
  settle,
} from '../../src/qd/index.ts';
import { histories, SETTINGS, stateOf } from './samples.ts';

const growths = fc.constantFrom(0, 0.3);
const restarts = histories(60).chain((history) => fc.tuple(fc.constant(history), fc.nat(history.length), growths));
const settingsWith = (growth: number) => ({ ...SETTINGS, projection: { ...SETTINGS.projection, growth } });

describe('a population restored from stored projections', () => {
  it('is the one that was settled, whichever of its epochs are stored', () => {
    fc.assert(
      fc.property(restarts, fc.func(fc.boolean()), ([history, at, growth], isKept) => {
        const settings = settingsWith(growth);
        const stored = new Map<number, Projection>();
        const storing: Fit = (vectors, options, previous, epoch) => {
          const projection = fitProjection(vectors, options, previous);
          stored.set(epoch, projection);
          return projection;
        };
        const live = createPopulation(settings);
        for (const entry of history.slice(0, at)) settle(live, entry, storing);
        const kept = new Map([...stored].filter(([epoch]) => isKept(epoch)));
        const restored = restorePopulation(settings, history.slice(0, at), undefined, kept);
        expect(stateOf(restored)).toEqual(stateOf(live));
        for (const entry of history.slice(at)) expect(settle(restored, entry)).toEqual(settle(live, entry));
        expect(stateOf(restored)).toEqual(stateOf(live));
      }),
    );
  });

  it('fits nothing when they are all there, and ignores those of a future that it does not have', () => {
    const history = fc.sample(histories(60), { numRuns: 20, seed: 1 });
    for (const entries of history) {
      const stored = new Map<number, Projection>();
      const whole = restorePopulation(SETTINGS, entries, (vectors, options, previous, epoch) => {
        const projection = fitProjection(vectors, options, previous);
        stored.set(epoch, projection);
        return projection;
      });
      const never: Fit = () => {
        throw new Error('there is nothing to fit');
      };
      expect(stateOf(restorePopulation(SETTINGS, entries, never, stored))).toEqual(stateOf(whole));
      const half = entries.slice(0, entries.length / 2);
      expect(stateOf(restorePopulation(SETTINGS, half, never, stored))).toEqual(
        stateOf(restorePopulation(SETTINGS, half)),
      );
    }
  });
});

describe('a fit that is made elsewhere', () => {
  it('is due exactly when settling fits, and gives the same population', () => {
    fc.assert(
      fc.property(histories(60), growths, (history, growth) => {
        const settings = settingsWith(growth);
        const alone = createPopulation(settings);
        const helped = createPopulation(settings);
        for (const entry of history) {
          const due = dueFit(helped, entry);
          // What another thread would get and give back.
          const fitted = due === null ? null : structuredClone(runFit(structuredClone(due)));
          let asked = 0;
          const settlement = settle(helped, entry, () => {
            asked++;
            if (fitted === null) throw new Error('no fit was due');
            return fitted;
          });
          expect(asked).toBe(fitted === null ? 0 : 1);
          expect(settlement).toEqual(settle(alone, entry));
        }
        expect(stateOf(helped)).toEqual(stateOf(alone));
      }),
    );
  });
});
