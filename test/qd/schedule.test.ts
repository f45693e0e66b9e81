import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPopulation, epochAt } from '../../src/qd/index.ts';
import { SETTINGS } from './samples.ts';

const schedules = fc.record({
  warmup: fc.integer({ min: 1, max: 20 }),
  projection: fc.record({ refit: fc.integer({ min: 0, max: 12 }), growth: fc.constantFrom(0, 0.1, 0.25, 1) }),
});

describe('the schedule of fits', () => {
  it('starts with the warm-up, then waits for `refit` entries or the share of those at the last fit, the longer', () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const { warmup, projection } = schedule;
        let [epoch, fittedAt] = [0, 0];
        for (let entries = 0; entries < 200; entries++) {
          const wait = Math.max(projection.refit, fittedAt * projection.growth);
          const due = epoch === 0 ? entries >= warmup : projection.refit > 0 && entries - fittedAt >= wait;
          if (due) [epoch, fittedAt] = [epoch + 1, entries];
          expect(epochAt(schedule, entries)).toEqual({ epoch, fittedAt });
        }
      }),
    );
  });

  it('has 23 fits in 100,000 entries at a growth of a half, where a constant period of 8 has 12,500', () => {
    const schedule = (growth: number) => ({ warmup: 8, projection: { refit: 8, growth } });
    expect(epochAt(schedule(0.5), 100_000).epoch).toBe(23);
    expect(epochAt(schedule(0), 100_000).epoch).toBe(12_500);
  });

  it('refuses a growth that is none', () => {
    for (const growth of [-1, Number.NaN, Infinity]) {
      const settings = { ...SETTINGS, projection: { ...SETTINGS.projection, growth } };
      expect(() => createPopulation(settings)).toThrow(RangeError);
    }
  });
});
