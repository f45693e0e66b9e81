import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FrontSettings, frontOf, type Member, offer } from '../../src/qd/index.ts';
import { bruteBoxFront, brutePairwiseFront, dominates, dropMostCrowded } from './brute-front.ts';
import { membersOf, offers, ordinals } from './samples.ts';

const capacities = fc.integer({ min: 1, max: 8 });
const unbounded = fc.constant(Infinity);

function offerAll(members: readonly Member[], settings: FrontSettings): readonly Member[] {
  return members.reduce<readonly Member[]>((front, member) => offer(front, member, settings).front, []);
}

describe.each(['box', 'pairwise'] as const)('a front under the rule %s', (rule) => {
  it('is never empty, never over capacity, and only ever holds what it was offered, in settlement order', () => {
    fc.assert(
      fc.property(offers(rule, capacities), ({ members, settings }) => {
        let front: readonly Member[] = [];
        for (const member of members) {
          const before = front;
          const verdict = offer(before, member, settings);
          front = verdict.front;
          expect(front.length).toBeGreaterThan(0);
          expect(front.length).toBeLessThanOrEqual(settings.capacity);
          expect(front.includes(member)).toBe(verdict.accepted);
          const stayed = before.filter((other) => !verdict.evicted.includes(other));
          expect(front).toEqual(verdict.accepted ? [...stayed, member] : stayed);
        }
      }),
    );
  });

  it('agrees with brute force on a whole set', () => {
    fc.assert(
      fc.property(offers(rule, unbounded), ({ members, settings }) => {
        const brute = rule === 'box' ? bruteBoxFront : brutePairwiseFront;
        expect(ordinals(frontOf(members, settings))).toEqual(ordinals(brute(members, settings.epsilons)));
      }),
    );
  });

  it('agrees with brute force at every offer, at its capacity too', () => {
    fc.assert(
      fc.property(offers(rule, capacities), ({ members, settings }) => {
        const brute = rule === 'box' ? bruteBoxFront : brutePairwiseFront;
        let twin: Member[] = [];
        let front: readonly Member[] = [];
        for (const member of members) {
          twin = dropMostCrowded(brute([...twin, member], settings.epsilons), settings);
          front = offer(front, member, settings).front;
          expect(ordinals(front)).toEqual(ordinals(twin));
        }
      }),
    );
  });

  it('is the plain Pareto front, whatever the order, with ε = 0, room and no ties', () => {
    const points = fc.uniqueArray(fc.tuple(fc.integer(), fc.integer(), fc.integer()), {
      minLength: 1,
      maxLength: 30,
      selector: String,
    });
    const shuffled = points.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    const settings: FrontSettings = { rule, epsilons: [0, 0, 0], capacity: Infinity };
    fc.assert(
      fc.property(shuffled, ([points, reordered]) => {
        const pareto = points.filter((point) => !points.some((other) => dominates(other, point)));
        const found = offerAll(membersOf(reordered), settings).map(({ point }) => [...point]);
        expect(new Set(found.map(String))).toEqual(new Set(pareto.map(String)));
        expect(found.length).toBe(pareto.length);
      }),
    );
  });

  it('does not look at the ordinals, only at the order of settlement', () => {
    fc.assert(
      fc.property(offers(rule, capacities), ({ members, settings }) => {
        const renamed = members.map(({ point }, i) => ({ ordinal: 1000 - i, point }));
        const places = offerAll(renamed, settings).map(({ ordinal }) => 1000 - ordinal);
        expect(places).toEqual(ordinals(offerAll(members, settings)));
      }),
    );
  });

  it('is not emptied by the ring of three that beat one another', () => {
    const ring = membersOf([
      [1.5, 0.75, 0],
      [0, 1.5, 0.75],
      [0.75, 0, 1.5],
    ]).map(({ ordinal, point }) => ({ ordinal, point: point.map((x) => x * 0.003) }));
    const settings: FrontSettings = { rule, epsilons: [0.003, 0.003, 0.003], capacity: 8 };
    expect(ordinals(frontOf(ring, settings))).toEqual(rule === 'box' ? [0, 1, 2] : [0]);
    expect(ordinals(frontOf(ring.toReversed(), settings))).toEqual(rule === 'box' ? [2, 1, 0] : [0]);
    expect(offerAll(ring, settings).length).toBeGreaterThan(0);
  });

  it('refuses a point that does not fit', () => {
    const settings: FrontSettings = { rule, epsilons: [0, 0], capacity: 8 };
    for (const point of [[1], [1, 2, 3], [1, Number.NaN], [Infinity, 1]]) {
      const member = { ordinal: 7, point: Float64Array.from(point) };
      expect(() => offer([], member, settings)).toThrow(RangeError);
      expect(() => frontOf([member], settings)).toThrow(RangeError);
    }
  });
});

describe('the rule box', () => {
  const range = { min: -1, max: 1, noNaN: true };
  const real = fc.record({
    members: fc.array(fc.tuple(fc.double(range), fc.double(range), fc.double(range)), { minLength: 1 }).map(membersOf),
    settings: fc.record({
      rule: fc.constant('box' as const),
      epsilons: fc.tuple(
        fc.constantFrom(0, 0.003, 0.1),
        fc.constantFrom(0, 0.003, 0.1),
        fc.constantFrom(0, 0.003, 0.1),
      ),
      capacity: capacities,
    }),
  });

  it.each([
    ['quarters of ε', offers('box', capacities)],
    ['any doubles', real],
  ])('never loses the best of an objective by ε or more, however full: %s', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, ({ members, settings }) => {
        const ever = settings.epsilons.map(() => -Infinity);
        let front: readonly Member[] = [];
        for (const member of members) {
          front = offer(front, member, settings).front;
          for (const [j, epsilon] of settings.epsilons.entries()) {
            ever[j] = Math.max(ever[j] ?? NaN, member.point[j] ?? NaN);
            if (j >= settings.capacity) continue; // there is no room for the best of so many objectives
            const loss = (ever[j] ?? NaN) - Math.max(...front.map(({ point }) => point[j] ?? NaN));
            if (epsilon === 0) expect(loss).toBe(0);
            else expect(loss).toBeLessThan(epsilon * (1 + 1e-9));
          }
        }
      }),
    );
  });

  it('prefers the dominating of two in a box even where rounding makes their distances equal', () => {
    const [low, high] = membersOf([[1e-18], [2e-18]]);
    if (!low || !high) throw new Error('two members');
    expect(offer([low], high, { rule: 'box', epsilons: [1], capacity: 8 }).accepted).toBe(true);
  });

  it('says why', () => {
    const settings: FrontSettings = { rule: 'box', epsilons: [1, 1], capacity: 2 };
    const [a, far, sameWorse, sameNearer, above, beaten, third] = membersOf([
      [5.2, 1.2],
      [1.2, 5.2],
      [5.1, 1.1],
      [5.4, 1.1],
      [6.5, 1.5],
      [0, 0],
      [3, 3],
    ]);
    if (!a || !far || !sameWorse || !sameNearer || !above || !beaten || !third) throw new Error('seven members');
    expect(offer([], a, settings)).toMatchObject({ accepted: true, reason: 'empty', evicted: [] });
    expect(offer([a], far, settings)).toMatchObject({ accepted: true, reason: 'incomparable', evicted: [] });
    expect(offer([a, far], sameWorse, settings)).toMatchObject({ accepted: false, reason: 'same_box' });
    expect(offer([a], a, settings)).toMatchObject({ accepted: false, reason: 'same_box' });
    expect(offer([a, far], sameNearer, settings)).toMatchObject({ reason: 'same_box_better', evicted: [a] });
    expect(offer([a, far], above, settings)).toMatchObject({ accepted: true, reason: 'dominates', evicted: [a] });
    expect(offer([a, far], beaten, settings)).toMatchObject({ accepted: false, reason: 'dominated' });
    expect(offer([a, far], third, settings)).toMatchObject({ accepted: false, reason: 'crowded', evicted: [] });
  });
});

describe('crowding', () => {
  it('counts each objective by its own range', () => {
    // Gaps as shares: 0.2 + 0.6 for the second, 0.9 + 0.5 for the third; in raw numbers the second has the wider ones.
    const members = membersOf([
      [0, 1000],
      [1, 500],
      [2, 400],
      [10, 0],
    ]);
    const settings: FrontSettings = { rule: 'box', epsilons: [0, 0], capacity: 3 };
    expect(ordinals(frontOf(members, settings))).toEqual([0, 2, 3]);
  });
});

describe('the known limits of the rule pairwise', () => {
  const settings: FrontSettings = { rule: 'pairwise', epsilons: [1, 1], capacity: 8 };

  it('loses the best of an objective step by step, where the rule box does not', () => {
    const steps = membersOf([
      [10, 0],
      [9.5, 2],
      [8.6, 4],
    ]);
    const best = (front: readonly Member[]) => Math.max(...front.map(({ point }) => point[0] ?? NaN));
    expect(best(offerAll(steps, settings))).toBe(8.6);
    expect(best(offerAll(steps, { ...settings, rule: 'box' }))).toBe(10);
  });

  it('lets a rejected newcomer evict a member that the one who beat it does not beat', () => {
    const [first, second, newcomer] = membersOf([
      [3, 0],
      [0, 1.7],
      [1.5, 0.8],
    ]);
    if (!first || !second || !newcomer) throw new Error('three members');
    const front = [first, second];
    expect(offer([first], second, settings)).toMatchObject({ accepted: true, front });
    expect(offer(front, newcomer, settings)).toMatchObject({ accepted: false, reason: 'dominated', evicted: [second] });
  });
});
