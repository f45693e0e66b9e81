import fc from 'fast-check';
import { expect, test } from 'vitest';
import { count, createTally, recount, type SettledJob } from '../../src/daemon/tally.ts';

const PRIMARY = { name: 'speed', direction: 'maximize', epsilon: 0 } as const;

const arbitraryJob = fc.record({
  outcome: fc.constantFrom('candidate', 'no_change', 'duplicate', 'failed', 'invalid' as const),
  kind: fc.constantFrom('crash', 'timeout'),
  speed: fc.integer({ min: -3, max: 3 }),
});

function jobOf(
  { outcome, kind, speed }: { outcome: SettledJob['outcome']; kind: string; speed: number },
  ordinal: number,
): SettledJob {
  const bad = outcome === 'failed' || outcome === 'invalid';
  return {
    ordinal,
    kind: ordinal === 0 ? 'root' : 'generate',
    outcome,
    stage: bad ? 'agent' : null,
    failureKind: bad ? kind : null,
    reason: bad ? 'a reason' : null,
    commit: `c${ordinal}`,
    title: null,
    staleness: ordinal === 0 ? null : ordinal % 3,
    // The search goes by scores alone.
    objectives: outcome === 'candidate' ? { speed: 0 } : null,
    scores: outcome === 'candidate' ? { speed } : null,
    tried: false,
    baseOrdinal: 0,
    coder: null,
    usage: null,
  };
}

test('running sums equal what a look at all jobs gives', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('maximize' as const, 'minimize' as const),
      fc.array(arbitraryJob),
      (direction, jobs) => {
        const root = jobOf({ outcome: 'candidate', kind: '', speed: 0 }, 0);
        const all = [root, ...jobs.map((job, index) => jobOf(job, index + 1))];
        const tally = createTally();
        for (const job of all) count(tally, job, { ...PRIMARY, direction });

        const generated = all.slice(1);
        expect(tally.settled).toBe(generated.length);
        for (const [outcome, jobs] of Object.entries(tally.outcomes)) {
          expect(jobs).toBe(generated.filter((job) => job.outcome === outcome).length);
        }
        expect([...tally.failures.values()].reduce((sum, jobs) => sum + jobs, 0)).toBe(
          tally.outcomes.failed + tally.outcomes.invalid,
        );
        expect(tally.staleness).toEqual({
          jobs: generated.length,
          sum: generated.reduce((sum, job) => sum + (job.staleness ?? 0), 0),
          max: Math.max(0, ...generated.map((job) => job.staleness ?? 0)),
        });
        const sign = direction === 'maximize' ? 1 : -1;
        const valid = all.filter((job) => job.scores !== null);
        const top = Math.max(...valid.map((job) => sign * (job.scores?.speed ?? 0)));
        const best = valid.find((job) => sign * (job.scores?.speed ?? 0) === top);
        expect(tally.best?.ordinal).toBe(best?.ordinal);
        expect(tally.sinceBest).toBe(generated.filter((job) => job.ordinal > (best?.ordinal ?? 0)).length);
      },
    ),
  );
});

test('new scores give the best that a look at all candidates gives, and are no new candidate', () => {
  const change = fc.record({ who: fc.nat(), speed: fc.option(fc.integer({ min: -3, max: 3 })) });
  fc.assert(
    fc.property(fc.array(fc.oneof(arbitraryJob, change), { maxLength: 30 }), (script) => {
      const tally = createTally();
      const known = new Map<number, number>();
      const settled: number[] = [];
      for (const step of [{ outcome: 'candidate' as const, kind: '', speed: 0 }, ...script]) {
        if ('outcome' in step) {
          const job = jobOf(step, settled.length);
          settled.push(job.ordinal);
          const before = tally.best?.ordinal;
          const since = tally.sinceBest;
          count(tally, job, PRIMARY);
          if (job.scores !== null) known.set(job.ordinal, job.scores.speed ?? 0);
          if (job.ordinal > 0) expect(tally.sinceBest).toBe(tally.best?.ordinal === before ? since + 1 : 0);
        } else {
          const ordinal = settled[step.who % settled.length] ?? 0;
          const scores = step.speed === null ? null : { speed: step.speed };
          const since = tally.sinceBest;
          recount(tally, [{ ordinal, scores }], PRIMARY);
          if (step.speed === null) known.delete(ordinal);
          else if (known.has(ordinal)) known.set(ordinal, step.speed);
          expect(tally.sinceBest).toBe(since);
          if (known.has(ordinal)) expect(tally.candidates.get(ordinal)?.fresh).toBe(true);
        }
        const top = Math.max(...known.values());
        const first = settled.find((ordinal) => known.get(ordinal) === top);
        expect(tally.best?.ordinal).toBe(first);
        expect(tally.best?.scores).toEqual(first === undefined ? undefined : { speed: top });
      }
    }),
  );
});

test('a minimised candidate may be the best, and no sum of jobs has it', () => {
  const tally = createTally();
  const settle = (speed: number, ordinal: number, kind: SettledJob['kind'] = 'generate') =>
    count(tally, { ...jobOf({ outcome: 'candidate', kind: '', speed }, ordinal), kind }, PRIMARY);
  settle(0, 0, 'root');
  settle(2, 1);
  settle(1, 2);
  const { outcomes, staleness, settled, sinceBest } = structuredClone(tally);
  settle(1.9, 3, 'minimised');
  expect(tally).toMatchObject({ settled, sinceBest, outcomes, staleness, best: { ordinal: 1 } });
  settle(2.1, 4, 'minimised');
  expect(tally).toMatchObject({ settled, outcomes, staleness, best: { ordinal: 4, fresh: true } });
});

test('a streak is of jobs that made nothing for one reason; whatever was evaluated ends it', () => {
  const tally = createTally();
  const settle = (outcome: SettledJob['outcome'], kind = 'crash') => {
    count(tally, jobOf({ outcome, kind, speed: 1 }, tally.settled + 1), PRIMARY);
    return tally.streak.length;
  };
  expect(['failed', 'failed'].map((outcome) => settle(outcome as 'failed'))).toEqual([1, 2]);
  expect(settle('failed', 'timeout')).toBe(1);
  expect(settle('no_change')).toBe(1);
  expect(settle('invalid')).toBe(0);
  expect(settle('failed')).toBe(1);
  expect(settle('duplicate')).toBe(0);
});

test('a refused root is remembered with its reason and counts as no job', () => {
  const tally = createTally();
  count(tally, { ...jobOf({ outcome: 'invalid', kind: 'test', speed: 0 }, 0), stage: 'evaluate' }, PRIMARY);
  expect(tally).toMatchObject({ settled: 0, root: null, best: null, rootRefusal: 'test: a reason' });
});

test('a coder is credited with what its jobs gain over their bases, as they rank then, beyond ε', () => {
  const primary = { ...PRIMARY, epsilon: 0.5 };
  const tally = createTally();
  const settle = (ordinal: number, speed: number, more: Partial<SettledJob> = {}) => {
    const job = jobOf({ outcome: 'candidate', kind: '', speed }, ordinal);
    count(tally, { ...job, coder: ordinal === 0 ? null : 'a', ...more }, primary);
    return tally.belief.window.at(-1)?.improvement;
  };
  settle(0, 1);
  expect(tally.belief.window).toEqual([]);
  expect(settle(1, 3)).toBe(2);
  expect(settle(2, 3.5, { baseOrdinal: 1 })).toBe(0);
  expect(settle(3, 2, { baseOrdinal: 1 })).toBe(0);
  recount(tally, [{ ordinal: 1, scores: { speed: 0 } }], primary);
  expect(settle(4, 1, { baseOrdinal: 1 })).toBe(1);
  recount(tally, [{ ordinal: 1, scores: null }], primary);
  expect(settle(5, 9, { baseOrdinal: 1 })).toBe(0);
  expect(settle(6, 9, { outcome: 'duplicate', scores: null, objectives: null })).toBe(0);
  settle(7, 9, { kind: 'seed' });
  settle(8, 9, { kind: 'minimised' });
  expect(tally.belief.window).toHaveLength(6);
  const usage = { inputTokens: 10, outputTokens: 5, costUsd: null, calls: 1 };
  settle(9, 1, { usage });
  expect(tally.belief.window.at(-1)).toEqual({ coder: 'a', improvement: 0, costUsd: null, tokens: 15 });
});

test('refusals in a row are those for one reason; what was not measured neither adds nor ends them', () => {
  const refused = (...jobs: readonly (readonly [SettledJob['outcome'], string])[]): number => {
    const tally = createTally();
    for (const [index, [outcome, kind]] of jobs.entries()) {
      count(tally, jobOf({ outcome, kind, speed: 0 }, index + 1), PRIMARY);
    }
    return tally.refused.length;
  };
  expect(refused(['invalid', 'build'], ['invalid', 'build'])).toBe(2);
  expect(
    refused(['invalid', 'build'], ['no_change', ''], ['failed', 'crash'], ['duplicate', ''], ['invalid', 'build']),
  ).toBe(2);
  expect(refused(['invalid', 'build'], ['invalid', 'test'])).toBe(1);
  expect(refused(['invalid', 'build'], ['candidate', ''])).toBe(0);
});
