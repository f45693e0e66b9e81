import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generatorFor } from '../../src/qd/index.ts';

const parts = fc.record({
  seed: fc.maxSafeInteger(),
  island: fc.nat(9),
  ordinal: fc.nat(),
  purpose: fc.constantFrom('recipe', 'mutate'),
});
const draw = (from: Parameters<typeof generatorFor>[0]) => {
  const rng = generatorFor(from);
  return Array.from({ length: 4 }, () => rng.uint32());
};

describe('generatorFor', () => {
  it('is pinned: a campaign begun with one version of Clade goes on with the next', () => {
    expect(draw({ seed: 20260821, island: 0, ordinal: 1, purpose: 'recipe' })).toEqual([
      385679625, 333144696, 3837624566, 1989870081,
    ]);
  });

  it('gives equal parts equal streams and different parts different ones', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        expect(draw(a)).toEqual(draw({ ...a }));
        fc.pre(JSON.stringify(a) !== JSON.stringify(b));
        expect(draw(a)).not.toEqual(draw(b));
      }),
    );
  });

  it('draws within bounds', () => {
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (from, n) => {
        const rng = generatorFor(from);
        const drawn = rng.below(n);
        expect(Number.isSafeInteger(drawn) && drawn >= 0 && drawn < n).toBe(true);
        const unit = rng.unit();
        expect(unit >= 0 && unit < 1).toBe(true);
      }),
    );
  });

  it('is fair over a range that does not divide 2^32', () => {
    const rng = generatorFor({ seed: 1, island: 0, ordinal: 0, purpose: 'fair' });
    const n = 3 * 2 ** 30; // plain modulo would give the lowest third twice as often
    const low = Array.from({ length: 6000 }, () => rng.below(n)).filter((x) => x < n / 3).length;
    expect(Math.abs(low - 2000)).toBeLessThan(150); // four standard deviations
  });

  it('shuffles a copy, each order equally often', () => {
    const rng = generatorFor({ seed: 1, island: 0, ordinal: 0, purpose: 'shuffle' });
    const items = [1, 2, 3] as const;
    const counts = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = rng.shuffle(items).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['123', '132', '213', '231', '312', '321']);
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
    expect(items).toEqual([1, 2, 3]);
  });

  it('refuses what it cannot draw from', () => {
    const rng = generatorFor({ seed: 1, island: 0, ordinal: 0, purpose: 'x' });
    for (const n of [0, -1, 1.5, Number.NaN, 2 ** 53]) expect(() => rng.below(n)).toThrow(RangeError);
    expect(() => rng.pick([])).toThrow(RangeError);
    expect(() => generatorFor({ seed: 0.5, island: 0, ordinal: 0, purpose: 'x' })).toThrow(RangeError);
  });
});
