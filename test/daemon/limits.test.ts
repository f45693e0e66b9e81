import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brokenMachine, decide, freeSlots, type Standing } from '../../src/daemon/limits.ts';
import { createTally, type Tally } from '../../src/daemon/tally.ts';

interface Situation {
  readonly exhausted?: string;
  readonly budget?: Partial<Standing['campaign']['budget']>;
  readonly warmup?: number;
  readonly size?: number;
  readonly tally?: Partial<Tally>;
  readonly planned?: number;
  readonly free?: number;
  readonly wallMs?: number;
  readonly forgiven?: number | null;
}

const counts = (candidate: number, failed = 0) => ({ candidate, failed, no_change: 0, duplicate: 0, invalid: 0 });

function standing(situation: Situation): Standing {
  const { budget, warmup = 8, size = 4, tally = {}, wallMs = 0, forgiven = null } = situation;
  const search = { warmup, schedule: { mode: 'batch' as const, size } };
  const whole = { ...createTally(), outcomes: counts(1), ...tally };
  return {
    campaign: { budget: { jobs: 48, wallMs: null, noImprovement: 0, ...budget }, search } as Standing['campaign'],
    tally: whole,
    planned: situation.planned ?? whole.settled,
    free: situation.free ?? size,
    wallMs,
    exhausted: situation.exhausted ?? null,
    forgiven,
  };
}

const streak = (length: number) => ({ settled: length, streak: { cause: 'agent/crash', length, last: length } });
const refused = (length: number, settled = length) => ({
  settled,
  refused: { cause: 'evaluate/build', length, last: length },
});

test.each<[string, Situation, ReturnType<typeof decide>['kind'], RegExp | number]>([
  ['at the start', {}, 'plan', 4],
  ['with less than a batch left', { planned: 46 }, 'plan', 2],
  ['with one slot free', { free: 1 }, 'plan', 1],
  ['with all jobs planned', { planned: 48 }, 'finish', /^budget\.jobs: all 48/],
  ['with more planned than a lowered budget', { planned: 48, budget: { jobs: 10 } }, 'finish', /^budget\.jobs/],
  ['at the end of its time', { budget: { wallMs: 9000 }, wallMs: 9000 }, 'finish', /^budget\.wall: 9 s/],
  ['just before the end of its time', { budget: { wallMs: 9000 }, wallMs: 8999 }, 'plan', 4],
  [
    'without progress',
    { budget: { noImprovement: 5 }, tally: { sinceBest: 5 } },
    'finish',
    /^budget\.no_improvement: 5/,
  ],
  ['with progress not long ago', { budget: { noImprovement: 5 }, tally: { sinceBest: 4 } }, 'plan', 4],
  ['with no_improvement off', { tally: { sinceBest: 40 } }, 'plan', 4],
  ['after 15 wasted jobs', { tally: streak(15) }, 'plan', 4],
  ['after 16 wasted jobs', { tally: streak(16) }, 'pause', /^16 jobs in a row .*agent\/crash/],
  ['when the batch crossed 16', { tally: streak(19) }, 'pause', /^19 jobs/],
  ['when an earlier batch crossed 16', { tally: streak(20) }, 'plan', 4],
  ['after twice as many', { tally: streak(32) }, 'pause', /^32 jobs/],
  ['resumed from that pause', { tally: streak(16), forgiven: 16 }, 'plan', 4],
  ['resumed from an earlier pause', { tally: streak(32), forgiven: 16 }, 'pause', /^32 jobs/],
  ['after 47 refusals for one reason', { budget: { jobs: 200 }, tally: refused(47) }, 'plan', 4],
  ['after 48', { budget: { jobs: 200 }, tally: refused(48) }, 'pause', /^48 candidates in a row .*evaluate\/build/],
  ['when a batch crossed 48', { budget: { jobs: 200 }, tally: refused(51) }, 'pause', /^51 candidates/],
  ['when an earlier batch crossed 48', { budget: { jobs: 200 }, tally: refused(52) }, 'plan', 4],
  ['after twice as many refusals', { budget: { jobs: 200 }, tally: refused(96) }, 'pause', /^96 candidates/],
  ['resumed from that', { budget: { jobs: 200 }, tally: refused(48), forgiven: 48 }, 'plan', 4],
  ['with a batch that measured nothing since', { budget: { jobs: 200 }, tally: refused(48, 52) }, 'plan', 4],
  [
    'with nothing valid in the warm-up',
    { tally: { settled: 8, outcomes: counts(0, 8), failures: new Map([['evaluate/test', 8]]) } },
    'pause',
    /^none of the first 8 jobs was valid \(evaluate\/test × 8\)/,
  ],
  ['with nothing valid before its end', { tally: { settled: 7, outcomes: counts(0, 7) } }, 'plan', 4],
  ['resumed after that', { tally: { settled: 8, outcomes: counts(0, 8) }, forgiven: 8 }, 'plan', 4],
  ['told so once', { tally: { settled: 12, outcomes: counts(0, 12) } }, 'plan', 4],
])('%s', (_name, situation, kind, what) => {
  const verdict = decide(standing(situation));
  expect(verdict.kind).toBe(kind);
  if (verdict.kind === 'plan') expect(verdict.count).toBe(what);
  else expect(verdict.cause).toMatch(what as RegExp);
});

test('a campaign ends with exactly its budget, and a pause that is resumed never comes back before more is settled', () => {
  fc.assert(
    fc.property(
      fc.record({
        jobs: fc.integer({ min: 1, max: 200 }),
        size: fc.integer({ min: 1, max: 40 }),
        warmup: fc.integer({ min: 1, max: 20 }),
      }),
      ({ jobs, size, warmup }) => {
        const tally = { ...createTally() };
        let forgiven: number | null = null;
        let pauses = 0;
        for (let rounds = 0; rounds <= 2 * jobs + 2; rounds++) {
          const verdict = decide(standing({ budget: { jobs }, size, warmup, tally, forgiven }));
          if (verdict.kind === 'finish') {
            expect(tally.settled).toBe(jobs);
            return;
          }
          if (verdict.kind === 'pause') {
            pauses += 1;
            expect(forgiven).not.toBe(tally.settled);
            forgiven = tally.settled;
            continue;
          }
          expect(verdict.count).toBeGreaterThan(0);
          tally.settled += verdict.count;
          tally.outcomes.failed += verdict.count;
          tally.streak = { cause: 'agent/crash', length: tally.settled, last: tally.settled };
        }
        throw new Error(`no end after ${pauses} pauses`);
      },
    ),
  );
});

test('three faults in a row of one kind of work break, three of different kinds do not', () => {
  const fault = (count: number) => ({ count, last: 'disk full', misconfigured: null });
  expect(brokenMachine([fault(2), fault(2), fault(0)])).toBeNull();
  expect(brokenMachine([fault(0), fault(3)])).toBe('the machine failed 3 times in a row: disk full');
  expect(brokenMachine([fault(0), { ...fault(1), misconfigured: 'set KEY' }])).toBe('set KEY');
});

test('a batch is planned when nothing is unsettled, a stream as slots get free', () => {
  const batch = { mode: 'batch', size: 4 } as const;
  const stream = { mode: 'streaming', size: 4 } as const;
  expect([0, 1, 4].map((unsettled) => freeSlots(batch, unsettled))).toEqual([4, 0, 0]);
  expect([0, 1, 4, 5].map((unsettled) => freeSlots(stream, unsettled))).toEqual([4, 3, 0, 0]);
});
