import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Answer, ddmin } from '../../../src/pipeline/minimise/ddmin.ts';

type Predicate = (kept: ReadonlySet<number>) => boolean;

/** A tester that remembers, with a budget of new tests. */
function tester(holds: Predicate, budget = Infinity) {
  const known = new Map<string, Answer>();
  const asked: (readonly number[])[] = [];
  const ask = async (kept: readonly number[]): Promise<Answer> => {
    const key = kept.join();
    const before = known.get(key);
    if (before !== undefined) return before;
    if (asked.length >= budget) return 'spent';
    asked.push(kept);
    const answer = holds(new Set(kept)) ? 'holds' : 'fails';
    known.set(key, answer);
    return answer;
  };
  return { ask, asked };
}

const numbers = (size: number): number[] => Array.from({ length: size }, (_, index) => index);

/** Enough is what holds one of several groups whole: monotone, and groups may share elements. */
const problem = fc.integer({ min: 1, max: 24 }).chain((size) =>
  fc
    .array(fc.uniqueArray(fc.nat({ max: size - 1 }), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 })
    .map((groups) => {
      const holds: Predicate = (kept) => groups.some((group) => group.every((one) => kept.has(one)));
      return { size, groups, holds };
    }),
);

test('of a monotone question it keeps what is enough and nothing that can be left out', async () => {
  await fc.assert(
    fc.asyncProperty(problem, async ({ size, groups, holds }) => {
      const { ask, asked } = tester(holds);
      const { kept, minimal } = await ddmin(numbers(size), ask);
      expect(minimal).toBe(true);
      expect(holds(new Set(kept))).toBe(true);
      for (const one of kept) expect(holds(new Set(kept.filter((other) => other !== one)))).toBe(false);
      expect(kept).toEqual([...kept].sort((a, b) => a - b));
      // With one group alone there is one answer.
      if (groups.length === 1) expect(new Set(kept)).toEqual(new Set(groups[0]));
      expect(asked.length).toBeLessThanOrEqual(size * size + 3 * size + 1);
    }),
  );
});

test('of any question the answer holds, is 1-minimal, and the whole is never asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.infiniteStream(fc.boolean()), async (size, coin) => {
      const known = new Map<string, boolean>();
      const holds: Predicate = (kept) => {
        const key = [...kept].join();
        const answer = kept.size === size || (known.get(key) ?? (kept.size > 0 && coin.next().value === true));
        known.set(key, answer);
        return answer;
      };
      const { ask, asked } = tester(holds);
      const { kept, minimal } = await ddmin(numbers(size), ask);
      expect(minimal && holds(new Set(kept))).toBe(true);
      expect(kept.length === 1 || kept.every((one) => !holds(new Set(kept.filter((other) => other !== one))))).toBe(
        true,
      );
      expect(asked.every((part) => part.length < size)).toBe(true);
    }),
  );
});

test('with a budget it stops in time with something that is enough, and says whether it is minimal', async () => {
  await fc.assert(
    fc.asyncProperty(problem, fc.nat({ max: 40 }), async ({ size, holds }, budget) => {
      const { ask, asked } = tester(holds, budget);
      const { kept, minimal } = await ddmin(numbers(size), ask);
      expect(asked.length).toBeLessThanOrEqual(budget);
      expect(holds(new Set(kept))).toBe(true);
      if (minimal) {
        for (const one of kept) expect(holds(new Set(kept.filter((other) => other !== one)))).toBe(false);
      }
    }),
  );
});

test('what holds without anything is reduced to nothing, at one test', async () => {
  const { ask, asked } = tester(() => true);
  expect(await ddmin(numbers(7), ask)).toEqual({ kept: [], minimal: true });
  expect(asked).toEqual([[]]);
  expect(await ddmin([], ask)).toEqual({ kept: [], minimal: true });
});

test('one of two that only count together is not left behind', async () => {
  const { ask } = tester((kept) => kept.has(2) && kept.has(13));
  expect((await ddmin(numbers(16), ask)).kept).toEqual([2, 13]);
});
