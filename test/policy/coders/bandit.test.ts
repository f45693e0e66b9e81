import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Arm,
  type Belief,
  type CoderOutcome,
  chooseCoders,
  createBelief,
  learn,
} from '../../../src/policy/index.ts';
import { generatorFor } from '../../../src/qd/index.ts';

/** A coder of the simulation: how often it improves, by how much on average, and what a job of it costs. */
interface Coder extends Arm {
  readonly chance: number;
  readonly gain: number;
  readonly cost: number;
}

const coder = (name: string, more: Partial<Coder> = {}): Coder => ({
  ...{ name, weight: 1, chance: 0.3, gain: 1, cost: 1 },
  ...more,
});

interface World {
  readonly coders: (job: number) => readonly Coder[];
  readonly jobs: number;
  readonly seed: number;
  readonly batch?: number;
  readonly unit?: { readonly cost: number; readonly gain: number };
}

/** Plays a search and returns who was asked, job by job. */
function play({ coders, jobs, seed, batch = 1, unit = { cost: 1, gain: 1 } }: World): string[] {
  const belief = createBelief();
  const asked: string[] = [];
  while (asked.length < jobs) {
    const arms = coders(asked.length);
    const planned = Array.from({ length: batch }, (_, index) => ({ ordinal: asked.length + index + 1, island: 0 }));
    const chosen = chooseCoders({ arms, choose: 'bandit', belief, seed, inFlight: [] }, planned);
    for (const [index, { coder }] of chosen.entries()) {
      const rng = generatorFor({ seed, island: 0, ordinal: asked.length + index + 1, purpose: 'world' });
      const arm = arms.find(({ name }) => name === coder);
      if (arm === undefined) throw new Error(`${coder} is not there`);
      const improves = rng.unit() < arm.chance;
      const improvement = improves ? -Math.log(1 - rng.unit()) * arm.gain * unit.gain : 0;
      learn(belief, { coder, improvement, costUsd: arm.cost * unit.cost, tokens: 1000 });
    }
    asked.push(...chosen.map(({ coder }) => coder));
  }
  return asked;
}

const share = (asked: readonly string[], name: string): number =>
  asked.filter((one) => one === name).length / asked.length;
const SEEDS = Array.from({ length: 100 }, (_, seed) => seed);
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe('the bandit', () => {
  it('finds the coder that gives ten times as much for its cost, in 100 searches of 100 jobs', () => {
    const worlds = {
      'by what it finds': [coder('a', { chance: 0.5 }), coder('b', { chance: 0.05 })],
      'by what it costs': [coder('a', { cost: 1 }), coder('b', { cost: 10 })],
    };
    for (const [name, coders] of Object.entries(worlds)) {
      const shares = SEEDS.map((seed) => share(play({ coders: () => coders, jobs: 100, seed }).slice(50), 'a'));
      expect(mean(shares), name).toBeGreaterThan(0.75);
      expect(shares.filter((one) => one > 0.5).length, name).toBeGreaterThan(90);
    }
  });

  it('follows within 20 jobs when the better one becomes the worse, however long it was the better', () => {
    const [good, bad] = [{ chance: 0.5 }, { chance: 0.05 }];
    for (const change of [100, 300]) {
      const coders = (job: number) => [coder('a', job < change ? good : bad), coder('b', job < change ? bad : good)];
      const shares = SEEDS.map((seed) => share(play({ coders, jobs: change + 60, seed }).slice(change + 20), 'b'));
      expect(mean(shares), `after ${change}`).toBeGreaterThan(0.7);
      expect(shares.filter((one) => one > 0.5).length, `after ${change}`).toBeGreaterThan(90);
    }
  });

  it('takes the highest of s/n + 0.15·√(ln(N + 1)/n), where older pulls count 0.97 as much with each new one', () => {
    const belief = createBelief();
    for (const improvement of [1, 0]) learn(belief, { ...FLAT, coder: 'a', improvement });
    for (const improvement of [0, 0]) learn(belief, { ...FLAT, coder: 'b', improvement });
    const view = { arms: [coder('a'), coder('b')], choose: 'bandit', belief, seed: 1, inFlight: ['a'] } as const;
    const [choice] = chooseCoders(view, [{ ordinal: 5, island: 0 }]);
    // A job of mean cost is paid a quarter.
    const [a, b] = [
      { reward: 0.25 * 0.97 ** 3, pulls: 0.97 ** 3 + 0.97 ** 2 },
      { reward: 0, pulls: 0.97 + 1 },
    ];
    const bonus = (pulls: number): number => 0.15 * Math.sqrt(Math.log(a.pulls + 1 + b.pulls + 1) / pulls);
    expect(a.reward / a.pulls + bonus(a.pulls + 1)).toBeGreaterThan(bonus(b.pulls));
    expect(choice).toMatchObject({ coder: 'a', reason: { rule: 'bandit' } });
    const reason = choice?.reason.rule === 'bandit' ? choice.reason : { mean: Number.NaN, bonus: Number.NaN };
    expect(reason.mean).toBeCloseTo(a.reward / a.pulls, 12);
    expect(reason.bonus).toBeCloseTo(bonus(a.pulls + 1), 12);
  });

  it('shares out among equals, and leaves nobody out', () => {
    const coders = ['a', 'b', 'c', 'd'].map((name) => coder(name));
    const counts = SEEDS.map((seed) => play({ coders: () => coders, jobs: 100, seed, batch: 4 }));
    for (const name of ['a', 'b', 'c', 'd']) {
      expect(Math.abs(mean(counts.map((asked) => share(asked, name))) - 0.25), name).toBeLessThan(0.06);
      expect(Math.min(...counts.map((asked) => share(asked, name))), name).toBeGreaterThan(0.05);
    }
  });

  it('does not always take the one that costs nothing', () => {
    const coders = [coder('free', { cost: 0, chance: 0.02 }), coder('paid', { cost: 1, chance: 0.6 })];
    const shares = SEEDS.map((seed) => share(play({ coders: () => coders, jobs: 120, seed }).slice(40), 'paid'));
    expect(mean(shares)).toBeGreaterThan(0.6);
  });

  it('asks each twice before it decides, the heavier first, and gives a batch to several', () => {
    const coders = [coder('a'), coder('b', { weight: 2 }), coder('c')];
    expect(play({ coders: () => coders, jobs: 6, seed: 1, batch: 6 })).toEqual(['b', 'a', 'c', 'b', 'a', 'c']);
    const belief = createBelief();
    for (const name of ['a', 'a', 'b', 'b', 'c', 'c']) learn(belief, { ...FLAT, coder: name });
    const view = { arms: coders, choose: 'bandit', belief, seed: 1, inFlight: ['b', 'a'] } as const;
    const jobs = [1, 2, 3].map((ordinal) => ({ ordinal, island: 0 }));
    expect(chooseCoders(view, jobs).map((choice) => choice.coder)).toEqual(['c', 'a', 'b']);
  });

  it('looks at neither units nor the order of the file', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }),
        (seed, cost, gain, order) => {
          const all = [coder('a', { chance: 0.6 }), coder('b', { cost: 3 }), coder('c', { cost: 0 })];
          const shuffled = order.map((name) => all.find((one) => one.name === name) ?? coder(name));
          const plain = play({ coders: () => all, jobs: 60, seed, batch: 4 });
          expect(
            play({
              coders: () => shuffled,
              jobs: 60,
              seed,
              batch: 4,
              unit: { cost: 2 ** Math.round(Math.log2(cost)), gain },
            }),
          ).toEqual(plain);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('goes by tokens where a price is unknown, and forgets who is gone', () => {
    const belief: Belief = createBelief();
    for (let job = 0; job < 20; job += 1) {
      learn(belief, { coder: 'thrifty', improvement: 1, costUsd: 0.01, tokens: 100 });
      learn(belief, { coder: 'gone', improvement: 9, costUsd: 0, tokens: 0 });
      learn(belief, { coder: 'lavish', improvement: 1, costUsd: null, tokens: 900 });
    }
    const arms = [coder('thrifty'), coder('lavish')];
    const [choice] = chooseCoders({ arms, choose: 'bandit', belief, seed: 1, inFlight: [] }, [
      { ordinal: 1, island: 0 },
    ]);
    expect(choice).toMatchObject({ coder: 'thrifty', reason: { rule: 'bandit' } });
  });

  it('rewards are in [0, 1], whatever happens', () => {
    const outcome = fc.record({
      coder: fc.constantFrom('a', 'b'),
      improvement: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
      costUsd: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })),
      tokens: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(outcome, { maxLength: 100 }), (outcomes: CoderOutcome[]) => {
        const belief = createBelief();
        for (const one of outcomes) {
          learn(belief, one);
          for (const { pulls, reward } of belief.arms.values()) {
            expect(reward).toBeGreaterThanOrEqual(0);
            expect(reward).toBeLessThanOrEqual(pulls);
          }
        }
        expect([...belief.arms.values()].reduce((sum, { jobs }) => sum + jobs, 0)).toBe(outcomes.length);
      }),
    );
  });
});

const FLAT = { improvement: 0, costUsd: 1, tokens: 1 };

describe('weights', () => {
  it('are kept, by the seed and the ordinal alone', () => {
    const arms = [coder('a', { weight: 3 }), coder('b', { weight: 1 })];
    const view = { arms, choose: 'weights', belief: createBelief(), seed: 7, inFlight: [] } as const;
    const jobs = Array.from({ length: 4000 }, (_, index) => ({ ordinal: index + 1, island: 0 }));
    const chosen = chooseCoders(view, jobs);
    expect(
      Math.abs(
        share(
          chosen.map((one) => one.coder),
          'a',
        ) - 0.75,
      ),
    ).toBeLessThan(0.03);
    expect(chosen[0]?.reason).toMatchObject({ rule: 'weights' });
    const later = chooseCoders({ ...view, inFlight: ['a'] }, jobs.slice(100, 120));
    expect(later).toEqual(chosen.slice(100, 120));
    expect(chooseCoders({ ...view, arms: arms.slice(0, 1) }, jobs.slice(0, 1))).toEqual([
      { coder: 'a', reason: { rule: 'only' } },
    ]);
  });
});
