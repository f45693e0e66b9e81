import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as cli from '../../../src/cli/output.ts';
import { bytes, cost, count, duration, number, percent, values } from '../../../src/web/page/format.ts';

const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: -10, max: 10, noNaN: true }),
  fc.double({ min: -1e7, max: 1e7, noNaN: true }),
  fc.integer(),
);

describe('the page writes as the command line does', () => {
  test('numbers', () => {
    fc.assert(fc.property(numbers, (value) => void expect(number(value)).toBe(cli.number(value))));
  });
  test('gains', () => {
    fc.assert(fc.property(numbers, (value) => void expect(percent(value)).toBe(cli.percent(value))));
    expect(percent(null)).toBe(cli.percent(null));
  });
  test('durations', () => {
    fc.assert(fc.property(fc.nat({ max: 1e9 }), (ms) => void expect(duration(ms)).toBe(cli.duration(ms))));
  });
});

test.each([
  [number(1.0123456), '1.01235'],
  [number(0.1 + 0.2), '0.3'],
  [number(-0.00001234), '-1.23400e-5'],
  [percent(0.0531), '+5.31 %'],
  [percent(-0.0531), '−5.31 %'],
  [percent(-0.000001), '+0.00 %'],
  [duration(3_725_000), '1 h 02 m'],
  [count(1234567), '1,234,567'],
  [bytes(812), '812 bytes'],
  [bytes(12_595), '12.3 KiB'],
  [bytes(4 * 1024 ** 2), '4.0 MiB'],
  [values({ speed: 1.5, size: 12 }), 'speed 1.5, size 12'],
  [values(null), ''],
  [cost({ calls: 3, costUsd: 0.0045, unpriced: 0 }), '0.0045 USD'],
  [cost({ calls: 3, costUsd: 0.0045, unpriced: 2 }), '0.0045 USD, 2 of unknown price'],
  [cost({ calls: 2, costUsd: 0, unpriced: 2 }), '2 of unknown price'],
])('%s', (written, expected) => {
  expect(written).toBe(expected);
});
