import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { FileChange } from '../../../src/pipeline/minimise/change.ts';
import { keepsGain, type Yardstick } from '../../../src/pipeline/minimise/criterion.ts';
import type { Answer } from '../../../src/pipeline/minimise/ddmin.ts';
import { type Judge, searchMinimal } from '../../../src/pipeline/minimise/search.ts';
import { generatorFor } from '../../../src/qd/index.ts';

const OBJECTIVES = [
  { name: 'speed', direction: 'maximize' as const, epsilon: 0.01 },
  { name: 'bytes', direction: 'minimize' as const, epsilon: 2 },
];

const named = (names: readonly string[]): FileChange[] =>
  names.map((name) => ({ kind: 'whole', files: new Map([[name, null]]) }));
const namesOf = (changes: readonly FileChange[]): string[] =>
  changes.flatMap((change) => (change.kind === 'whole' ? [...change.files.keys()] : [change.path]));

interface Bench {
  readonly truth: (names: readonly string[]) => Record<string, number>;
  readonly noise?: () => number;
  readonly budget?: number;
  readonly tolerance?: number;
  /** Answers of the first look at a part. */
  readonly lucky?: (names: readonly string[]) => boolean;
}

/** A search over named changes, with what was measured. */
async function search(
  all: readonly string[],
  { truth, noise = () => 0, budget = Infinity, tolerance = 0.1, lucky }: Bench,
) {
  const yardstick = (full: Record<string, number>): Yardstick => ({
    ...{ objectives: OBJECTIVES, tolerance, full },
    root: truth([]),
  });
  const measured = (names: readonly string[]) => {
    looks.push(names.join());
    const { speed = 0, ...rest } = truth(names);
    return { ...rest, speed: speed + noise() };
  };
  const looks: string[] = [];
  let refuted = 0;
  const judge: Judge<{ tree: string; names: readonly string[] }> = {
    make: async (changes) => ({ tree: namesOf(changes).join(), names: namesOf(changes) }),
    async judge({ names }): Promise<Answer> {
      if (looks.length + 3 > budget) return 'spent';
      const scores = measured(names);
      return lucky?.(names) === true || keepsGain(yardstick(truth(all)), scores) ? 'holds' : 'fails';
    },
    async confirm({ names }): Promise<Answer> {
      if (looks.length + 2 > budget) return 'spent';
      const [part, full] = [measured(names), measured(all)];
      if (keepsGain(yardstick(full), part)) return 'holds';
      refuted += 1;
      return 'fails';
    },
  };
  const { part, minimal } = await searchMinimal(named(all), { whole: all.join(), nothing: '' }, judge);
  return { names: part?.names ?? all, reduced: part !== null, minimal, looks, refuted };
}

const letters = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String.fromCharCode(97 + index));

/** `b` pays, `e` and `k` pay together, `c` makes it larger. */
const truth = (names: readonly string[]) => {
  const has = new Set(names);
  const speed = 1 + (has.has('b') ? 0.2 : 0) + (has.has('e') && has.has('k') ? 0.3 : 0);
  return { speed, bytes: 100 + (has.has('c') ? 10 : 0) };
};

test('what pays stays, also what pays only together; the rest goes', async () => {
  const { names, minimal, reduced, looks } = await search(letters(16), { truth });
  expect({ names, minimal, reduced }).toEqual({ names: ['b', 'e', 'k'], minimal: true, reduced: true });
  // Each part is looked at once, the confirmed one twice.
  expect(new Set(looks).size).toBe(looks.length - 1);
});

test('a candidate of nothing but what pays stays whole, and nothing is confirmed', async () => {
  const all = ['b', 'e', 'k'];
  const { names, minimal, reduced, looks } = await search(all, { truth });
  expect({ names, minimal, reduced }).toEqual({ names: all, minimal: true, reduced: false });
  expect(looks).not.toContain(all.join());
});

test('the tolerance says how much of the gain may go, and other objectives may not get worse by more than ε', async () => {
  expect((await search(letters(12), { truth, tolerance: 0.39 })).names).toEqual(['b', 'e', 'k']);
  expect((await search(letters(12), { truth, tolerance: 0.41 })).names).toEqual(['e', 'k']);
  // Without `a` the bytes are 3 more.
  const lean = (names: readonly string[]) => ({ ...truth(names), bytes: names.includes('a') ? 97 : 100 });
  expect((await search(letters(12), { truth: lean })).names).toEqual(['a', 'b', 'e', 'k']);
});

test('parts that were enough by luck are refuted, and the search goes on from the one before it', async () => {
  const lucky = (names: readonly string[]): boolean => names.join() === 'b' || names.join() === 'k';
  const { names, refuted, minimal } = await search(letters(12), { truth, lucky });
  expect({ names, refuted, minimal }).toEqual({ names: ['b', 'e', 'k'], refuted: 2, minimal: true });
});

test('when evaluations run out what was confirmed is used, and nothing when there was none', async () => {
  const { names, minimal, reduced, looks } = await search(letters(16), { truth, budget: 14 });
  expect({ minimal, reduced }).toEqual({ minimal: false, reduced: true });
  expect(names).toEqual(expect.arrayContaining(['b', 'e', 'k']));
  expect(names.length).toBeGreaterThan(3);
  expect(looks.length).toBeLessThanOrEqual(14);
  const lucky = (names: readonly string[]): boolean => names.length === 1;
  const none = await search(letters(16), { truth, lucky, budget: 4 });
  expect(none).toMatchObject({ reduced: false, minimal: false });
});

test('however many parts are lucky, what was confirmed on the way is not lost', async () => {
  const first = new Set<string>();
  const lucky = (names: readonly string[]): boolean => {
    const before = first.has(names.join());
    first.add(names.join());
    return !before && names.includes('b') && !names.includes('e') && names.length < 4;
  };
  const { names, reduced, refuted, looks } = await search(letters(16), { truth, lucky, budget: 60 });
  expect(looks.length).toBeLessThanOrEqual(60);
  expect(refuted).toBeGreaterThan(1);
  expect(reduced).toBe(true);
  expect(names).toEqual(expect.arrayContaining(['b', 'e', 'k']));
});

test('under noise the part keeps its gain, whatever the noise and the budget', async () => {
  const outcomes = { runs: 0, kept: 0, small: 0 };
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 1e6 }), fc.integer({ min: 8, max: 120 }), async (seed, budget) => {
      const rng = generatorFor({ seed, island: 0, ordinal: 0, purpose: 'noise' });
      // The sum of three is nearly normal; its deviation is 0.015, three percent of the gain.
      const noise = (): number => (rng.unit() + rng.unit() + rng.unit() - 1.5) * 0.03;
      const { names, looks } = await search(letters(16), { truth, noise, budget, tolerance: 0.15 });
      expect(looks.length).toBeLessThanOrEqual(budget);
      outcomes.runs += 1;
      if ((truth(names).speed - 1) / 0.5 > 0.99) outcomes.kept += 1;
      if (budget >= 80 && names.length > 6) outcomes.small -= 1;
    }),
    { numRuns: 300, seed: 1 },
  );
  expect(outcomes.kept).toBe(outcomes.runs);
  expect(outcomes.small).toBe(0);
});
