import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byFactor, byNeighbour, formatConstant, parseConstant } from '../../../src/agent/mutate/constant.ts';
import { rngOf } from '../workshop.ts';

describe('parseConstant', () => {
  it.each([
    ['10', 10, false, '', ''],
    ['-3', -3, false, '', ''],
    ['1_000u32', 1000, false, '', 'u32'],
    ["1'000", 1000, false, '', ''],
    ['0x1FUL', 31, false, '0x', 'UL'],
    ['0x1F_i64', 31, false, '0x', '_i64'],
    ['0b101', 5, false, '0b', ''],
    ['10n', 10, false, '', 'n'],
    ['1.5', 1.5, true, '', ''],
    ['.5', 0.5, true, '', ''],
    ['2.', 2, true, '', ''],
    ['1e-7', 1e-7, true, '', ''],
    ['3.5f', 3.5, true, '', 'f'],
    ['1f32', 1, true, '', 'f32'],
  ])('reads %s', (literal, value, float, prefix, suffix) => {
    expect(parseConstant(literal)).toEqual({ value, float, prefix, suffix });
  });

  it.each(['0755', '2j', '1.5j', '0x1p3', '18446744073709551615', '', '.', '-'])('leaves %s alone', (literal) => {
    expect(parseConstant(literal)).toBeNull();
  });
});

describe('a changed constant', () => {
  const literals = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }).map((n) => `${n}`),
    fc.nat().map((n) => `0x${n.toString(16)}u`),
  );

  it('stays short however often it is changed, and of its type', () => {
    fc.assert(
      fc.property(literals, fc.integer(), (literal, seed) => {
        const rng = rngOf(seed);
        let text = literal;
        const first = parseConstant(literal);
        fc.pre(first !== null);
        for (let round = 0; round < 30; round += 1) {
          const constant = parseConstant(text);
          if (constant === null) return; // Grown beyond what is exact.
          const changed = (round % 2 === 0 ? byFactor : byNeighbour)(constant, rng);
          text = formatConstant(changed, constant.value);
          const again = parseConstant(text);
          if (again !== null) expect(again.float).toBe(first.float);
          if (first.float) expect(text.replace(/e.*|[-.]/g, '').replace(/^0+|0+$/g, '').length).toBeLessThanOrEqual(12);
        }
      }),
    );
  });

  it('is an integer within 10 % when it is the neighbour of one', () => {
    for (let seed = 0; seed < 500; seed += 1) {
      const { value } = byNeighbour({ value: 1000, float: false, prefix: '', suffix: '' }, rngOf(seed));
      expect(Number.isInteger(value)).toBe(true);
      expect(Math.abs(value - 1000)).toBeGreaterThanOrEqual(1);
      expect(Math.abs(value - 1000)).toBeLessThanOrEqual(100);
    }
  });

  it('covers both sides of a float, near and less near', () => {
    const constant = { value: 0.95, float: true, prefix: '', suffix: '' };
    const values = Array.from({ length: 500 }, (_, seed) => byNeighbour(constant, rngOf(seed)).value);
    expect(values.filter((value) => value < 0.95).length).toBeGreaterThan(150);
    expect(values.filter((value) => value > 0.95).length).toBeGreaterThan(150);
    expect(values.filter((value) => Math.abs(value - 0.95) < 0.005).length).toBeGreaterThan(50);
    expect(values.filter((value) => Math.abs(value - 0.95) > 0.05).length).toBeGreaterThan(50);
  });
});
