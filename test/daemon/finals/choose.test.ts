import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseWinner, type Finalist, type Rule, type Validation } from '../../../src/daemon/finals/choose.ts';

const SPEED = { name: 'speed', direction: 'maximize', epsilon: 0 } as const;
const SIZE = { name: 'size', direction: 'minimize', epsilon: 0 } as const;
const RULE: Rule = { objectives: [SPEED, SIZE], gates: [] };

const valid = (speed: number, more: Partial<Validation> = {}): Validation => ({
  ...{ status: 'valid', kind: null, summary: null, identity: null, metrics: {}, intervals: {} },
  ...{ scores: { speed, size: 1 }, objectives: { speed, size: 1 } },
  ...more,
});
const refused: Validation = { ...valid(0), status: 'invalid', kind: 'test', summary: 'it broke', scores: null };

const finalist = (ordinal: number, validation: Validation, changedLines = 10 * ordinal): Finalist => ({
  ...{ ordinal, validation, changedLines },
  commit: `c${ordinal}`,
});
const root = finalist(0, valid(1));

describe('the winner', () => {
  test('is the best on validation, in the direction of the primary objective', () => {
    const field = [root, finalist(1, valid(2)), finalist(2, valid(0.5))];
    expect(chooseWinner(RULE, field)).toEqual({
      winner: 1,
      reason: 'job 1 has the best score on validation: speed 2, the root speed 1',
      refused: [],
    });
    const lower: Rule = { objectives: [{ ...SPEED, direction: 'minimize' }], gates: [] };
    expect(chooseWinner(lower, field).winner).toBe(2);
  });

  test('goes by scores and not by values', () => {
    const lucky = valid(9, { scores: { speed: 0.9, size: 1 } });
    expect(chooseWinner(RULE, [root, finalist(1, lucky)]).winner).toBe(0);
  });

  test('of equals is the root, then the smaller change, the commit, the identity', () => {
    const [small, large] = [finalist(5, valid(2), 3), finalist(1, valid(2), 4)];
    expect(chooseWinner(RULE, [large, small, root]).winner).toBe(5);
    expect(chooseWinner(RULE, [large, small, finalist(0, valid(2), 99)])).toMatchObject({
      winner: 0,
      reason: 'the root stays: none of 2 candidates scores better on validation than its speed 2',
    });
    expect(chooseWinner(RULE, [root, finalist(5, valid(2), 3), finalist(4, valid(2), 3)]).winner).toBe(4);
    const same = (ordinal: number, identity: string) => ({
      ...finalist(ordinal, valid(2, { identity }), 3),
      commit: 'c',
    });
    expect(chooseWinner(RULE, [root, same(1, 'b'), same(2, 'a')]).winner).toBe(2);
  });

  test('passes every gate on validation; the root needs none', () => {
    const gates: Rule['gates'] = [
      { name: 'speed', of: 'bound', min: 1.5 },
      { name: 'size', of: 'bound', max: 3 },
      { name: 'memory', of: 'value', max: 100 },
    ];
    const measured = (speed: [number, number], size: [number, number], memory: number) =>
      valid(5, { intervals: { speed, size }, metrics: { memory } });
    const field = [
      root,
      finalist(1, measured([1.4, 9], [1, 2], 100)),
      finalist(2, measured([2, 9], [1, 4], 100)),
      finalist(3, measured([2, 9], [1, 2], 101)),
      finalist(4, valid(5, { intervals: { speed: [2, 3] }, metrics: { memory: 1 } })),
      finalist(5, measured([1.5, 9], [1, 3], 100)),
    ];
    expect(chooseWinner({ ...RULE, gates }, field)).toMatchObject({
      winner: 5,
      refused: [
        { ordinal: 1, reason: 'the bound of speed is 1.4, below 1.5' },
        { ordinal: 2, reason: 'the bound of size is 4, above 3' },
        { ordinal: 3, reason: 'memory is 101, above 100' },
        { ordinal: 4, reason: 'the bound of size was not measured, and a gate asks for it' },
      ],
    });
    expect(chooseWinner({ ...RULE, gates }, field.slice(0, 5))).toMatchObject({
      winner: 0,
      reason: 'the root stays: no candidate may win',
    });
  });

  test('is never one that validation refused, and the root when it is the one', () => {
    const broken = { ordinal: 1, reason: 'validation refuses it (test: it broke)' };
    expect(chooseWinner(RULE, [root, finalist(1, refused)])).toMatchObject({ winner: 0, refused: [broken] });
    expect(chooseWinner(RULE, [finalist(0, refused), finalist(1, valid(9))])).toMatchObject({
      winner: 0,
      reason: 'the root stays: nothing can be compared with it (validation refuses it (test: it broke))',
    });
  });
});

/** Few values, so that ties of every depth are common. */
const field = fc
  .uniqueArray(
    fc.record({
      ordinal: fc.integer({ min: 1, max: 9 }),
      speed: fc.integer({ min: 0, max: 2 }),
      lines: fc.integer({ min: 0, max: 2 }),
      valid: fc.boolean(),
      memory: fc.integer({ min: 0, max: 2 }),
    }),
    { selector: ({ ordinal }) => ordinal },
  )
  .map((drawn) => [
    root,
    ...drawn.map(({ ordinal, speed, lines, memory, valid: passes }) =>
      finalist(ordinal, passes ? valid(speed, { metrics: { memory } }) : refused, lines),
    ),
  ]);
const GATED: Rule = { ...RULE, gates: [{ name: 'memory', of: 'value', min: 1, max: 1 }] };

describe('whatever the finalists', () => {
  test('the order in which they come does not matter', () => {
    const shuffled = field.chain((drawn) =>
      fc.tuple(fc.constant(drawn), fc.shuffledSubarray(drawn, { minLength: drawn.length })),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(chooseWinner(GATED, one)).toEqual(chooseWinner(GATED, other));
      }),
    );
  });

  test('a winner but the root is valid, within every gate, strictly better than the root, and nobody eligible is better', () => {
    const score = ({ validation }: Finalist): number => validation.scores?.speed ?? Number.NEGATIVE_INFINITY;
    fc.assert(
      fc.property(field, (drawn) => {
        const { winner, refused: out } = chooseWinner(GATED, drawn);
        const found = drawn.find(({ ordinal }) => ordinal === winner);
        const mayWin = drawn.filter(
          ({ ordinal, validation }) =>
            ordinal === 0 || (validation.status === 'valid' && validation.metrics?.memory === 1),
        );
        expect(new Set(out.map(({ ordinal }) => ordinal))).toEqual(
          new Set(drawn.filter((one) => !mayWin.includes(one)).map(({ ordinal }) => ordinal)),
        );
        if (found === undefined) throw new Error('the winner is no finalist');
        expect(mayWin).toContain(found);
        expect(score(found)).toBe(Math.max(...mayWin.map(score)));
        if (winner === 0) return;
        expect(score(found)).toBeGreaterThan(1);
        const tied = mayWin.filter((one) => score(one) === score(found));
        expect(found.changedLines).toBe(Math.min(...tied.map(({ changedLines }) => changedLines)));
      }),
    );
  });
});
