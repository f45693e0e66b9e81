import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, parseDuration } from '../../src/config/duration.ts';
import { dotted, valueAt, without } from '../../src/config/key-path.ts';
import { editDistance, nearest } from '../../src/config/nearest.ts';
import { isRemote } from '../../src/config/repository.ts';

describe('durations', () => {
  it.each([
    ['500ms', 500],
    ['90s', 90_000],
    ['2m', 120_000],
    ['5h', 18_000_000],
    ['1d', 86_400_000],
  ])('%s is %i ms', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
    expect(formatDuration(milliseconds)).toBe(text);
  });

  it.each(['', '5', '0s', '-1s', '1.5h', '5 m', '5M', '1w', '5m30s', '12345678s', ' 5s'])('%j is none', (text) => {
    expect(() => parseDuration(text)).toThrow(RangeError);
  });

  it('come back as they were', () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 9_999_999 }), (ms) => parseDuration(formatDuration(ms)) === ms));
  });
});

describe('the nearest key', () => {
  const keys = ['target', 'goal', 'max_radius', 'no_improvement'];

  it.each([
    ['targt', 'target'],
    ['gaol', 'goal'],
    ['maxRadius', 'max_radius'],
    ['max-radius', 'max_radius'],
    ['noImprovment', 'no_improvement'],
    ['zzz', null],
  ])('to %s is %s', (word, expected) => {
    expect(nearest(word, keys)).toBe(expected);
  });

  it('is measured by a distance', () => {
    const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(word, word, word, (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
    expect(editDistance('kitten', 'sitting')).toBe(3);
  });
});

describe('key paths', () => {
  const value = { a: { list: [{ x: 1, y: 2 }, { x: 3 }] }, b: 4 };

  it('have a dotted name', () => {
    expect(dotted(['a', 'list', 1, 'x'])).toBe('a.list[1].x');
    expect(dotted([])).toBe('');
  });

  it('read, and remove without touching the original', () => {
    expect(valueAt(value, ['a', 'list', 1, 'x'])).toBe(3);
    expect(valueAt(value, ['b', 'c'])).toBeUndefined();
    expect(without(value, ['a', 'list', 0, 'y'])).toEqual({ a: { list: [{ x: 1 }, { x: 3 }] }, b: 4 });
    expect(without(value, ['a', 'list', 0])).toEqual({ a: {}, b: 4 });
    expect(without(value, ['nowhere', 'c'])).toEqual(value);
    expect(value.a.list).toHaveLength(2);
  });
});

it.each([
  ['https://example.org/x.git', true],
  ['file:///srv/x.git', true],
  ['git@example.org:x/y.git', true],
  ['example:x', true],
  ['../x', false],
  ['/srv/a:b', false],
  ['./a:b', false],
  ['C:\\x', false],
  ['x', false],
])('%s is remote: %s', (repository, expected) => {
  expect(isRemote(repository)).toBe(expected);
});
