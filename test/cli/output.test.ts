import fc from 'fast-check';
import { expect, test } from 'vitest';
import { duration, harmless, number, objectives, percent, table } from '../../src/cli/output.ts';

test.each([
  [0, '0'],
  [-3, '-3'],
  [1.5, '1.5'],
  [0.1 + 0.2, '0.3'],
  [123.456789, '123.457'],
  [1_234_567.8, '1234568'],
  [-1_234_567.8, '-1234568'],
  [1.25e16 + 2, '12500000000000002'],
  [2.5e-7, '2.50000e-7'],
])('number %d is %s', (value, text) => expect(number(value)).toBe(text));

test('a number is never shown further from itself than one in a hundred thousand', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Math.abs(Number(number(value)) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-5);
    }),
  );
});

test.each([
  [null, ''],
  [0, '+0.00 %'],
  [0.0532, '+5.32 %'],
  [-0.5, '−50.00 %'],
  [-0.000001, '+0.00 %'],
])('gain %s is %j', (gain, text) => expect(percent(gain)).toBe(text));

test.each([
  [0, '0 s'],
  [499, '0 s'],
  [59_600, '1 m 00 s'],
  [200_000, '3 m 20 s'],
  [3_599_600, '1 h 00 m'],
  [3_720_000, '1 h 02 m'],
  [100 * 3_600_000, '100 h 00 m'],
])('%i ms are %s', (ms, text) => expect(duration(ms)).toBe(text));

test('a table is as wide as its cells, numbers to the right, nothing at the line ends', () => {
  expect(
    table(
      ['job', 'what'],
      [
        [1, 'a'],
        [100, null],
        [7, 'longer'],
      ],
    ),
  ).toBe(['job  what', '  1  a', '100', '  7  longer'].join('\n'));
  expect(table(['job', 'what'], [])).toBe('job  what');
});

test('objectives by name, nothing for none', () => {
  expect(objectives({ speed: 1.25, size: 3 })).toBe('speed 1.25  size 3');
  expect(objectives(null)).toBe('');
});

test('control characters of an agent’s text reach no terminal; line ends and tabs do', () => {
  expect(harmless('a\u001b[2Jb\u0007\u009b31m\rc\n\td')).toBe('a\ufffd[2Jb\ufffd\ufffd31m\ufffdc\n\td');
});
