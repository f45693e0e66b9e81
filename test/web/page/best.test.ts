import fc from 'fast-check';
import { expect, test } from 'vitest';
import { append, bestSoFar, EMPTY, leads } from '../../../src/web/page/chart/best.ts';
import type { SeriesView } from '../../../src/web/server/answers.ts';

const NAMES = ['candidate', 'invalid', 'duplicate', 'no_change', 'failed'] as const;

function pageOf(settlement: number, scores: readonly (number | null)[], intervals = true): SeriesView {
  return {
    settlement,
    ordinals: scores.map((_, index) => settlement + index),
    outcomes: scores.map((score) => (score === null ? 4 : 0)),
    outcomeNames: NAMES,
    scores,
    low: intervals ? scores.map((score) => (score === null ? null : score - 1)) : null,
    high: intervals ? scores.map((score) => (score === null ? null : score + 1)) : null,
  };
}

const scores = fc.array(fc.option(fc.integer({ min: -5, max: 5 })), { maxLength: 30 });

test('pages make a history, each counted once', () => {
  const first = append(EMPTY, pageOf(0, [1, null]));
  const second = append(first, pageOf(2, [3], false));
  expect(second).toEqual({
    ordinals: [0, 1, 2],
    outcomes: ['candidate', 'failed', 'candidate'],
    scores: [1, null, 3],
    low: [0, null, null],
    high: [2, null, null],
  });
  expect(append(second, pageOf(2, [3]))).toBe(second);
  expect(append(second, pageOf(7, [3]))).toBe(second);
  expect(append(second, pageOf(3, []))).toBe(second);
});

test.each(['maximize', 'minimize'] as const)('the best so far is the best of what came before (%s)', (direction) => {
  fc.assert(
    fc.property(scores, (given) => {
      const found = leads(append(EMPTY, pageOf(0, given)), direction);
      const best = bestSoFar(found, given.length);
      for (const [at, value] of best.entries()) {
        const before = given.slice(0, at + 1).filter((score) => score !== null);
        const expected = direction === 'maximize' ? Math.max(...before) : Math.min(...before);
        expect(value).toBe(before.length === 0 ? null : expected);
      }
      // Of equal ones the earliest: who leads was strictly better than all before.
      for (const { at, score } of found) expect(given.indexOf(score)).toBe(at);
      expect(best).toHaveLength(given.length);
    }),
  );
});
