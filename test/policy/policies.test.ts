import { describe, expect, it } from 'vitest';
import { type PolicyName, planBatch, policies, staleness } from '../../src/policy/index.ts';
import { lowerBound, recipeKey, restorePopulation } from '../../src/qd/index.ts';
import { history, SETTINGS, viewOf } from './views.ts';

const NAMES = Object.keys(policies) as PolicyName[];

describe.each(NAMES)('the policy %s', (name) => {
  it('plans jobs from settled candidates, each explained in plain JSON with its version', () => {
    for (const settled of [1, 5, 40]) {
      const view = viewOf(settled);
      const known = new Set(view.population.history.map(({ ordinal }) => ordinal));
      for (const [index, job] of planBatch(view, name).entries()) {
        expect(job.ordinal).toBe(settled + index);
        for (const ordinal of [job.base, ...job.inspirations]) expect(known.has(ordinal)).toBe(true);
        expect(job.recipe).toBe(recipeKey(job.base, job.inspirations));
        expect(job.decision).toMatchObject({ policy: name, version: settled });
        expect(JSON.parse(JSON.stringify(job.decision))).toEqual(job.decision);
      }
    }
  });

  it('plans the same for the same view, and looks at it only', () => {
    const view = viewOf(40);
    const before = structuredClone(view);
    expect(planBatch(view, name)).toEqual(planBatch(viewOf(40), name));
    expect(structuredClone(view)).toEqual(before);
  });

  it('has no more jobs unsettled than it may', () => {
    const { atOnce } = policies[name];
    const view = viewOf(40, { count: 4 });
    const jobs = planBatch(view, name);
    expect(jobs).toHaveLength(Math.min(4, atOnce));
    const more = planBatch({ ...view, nextOrdinal: 40 + jobs.length, inFlight: jobs }, name);
    expect(more).toHaveLength(Math.min(4, atOnce - jobs.length));
  });

  it('starts from the root before anything else is settled', () => {
    for (const settled of [0, 1]) for (const job of planBatch(viewOf(settled), name)) expect(job.base).toBe(0);
  });
});

describe('sequential-champion', () => {
  it('goes on from the best, the earliest of equals', () => {
    const points = [1, 3, 2, 3];
    const entries = history(4).map((entry, index) => ({ ...entry, point: Float64Array.of(points[index] ?? 0) }));
    const bases = [1, 2, 3, 4].map((settled) => {
      const population = restorePopulation(SETTINGS, entries.slice(0, settled));
      return planBatch(viewOf(settled, { population }), 'sequential-champion')[0];
    });
    expect(bases.map((job) => job?.base)).toEqual([0, 1, 1, 1]);
    expect(bases[1]?.decision).toEqual({ policy: 'sequential-champion', version: 2, reason: 'champion', bound: 3 });
  });

  it('trusts the lower end of an interval, not a lucky measurement', () => {
    const [root, lucky, sure] = history(3);
    if (!root || !lucky || !sure) throw new Error('three entries');
    const population = restorePopulation(SETTINGS, [
      { ...root, point: Float64Array.of(1), bound: 0.99 },
      { ...lucky, point: Float64Array.of(1.5), bound: 0.9 },
      { ...sure, point: Float64Array.of(1.2), bound: 1.1 },
    ]);
    const [job] = planBatch(viewOf(3, { population }), 'sequential-champion');
    expect(job).toMatchObject({ base: sure.ordinal, inspirations: [], decision: { bound: 1.1 } });
  });

  it('turns an interval like its objective', () => {
    expect(lowerBound({ name: 'x', direction: 'maximize', epsilon: 0 }, [1, 2])).toBe(1);
    expect(lowerBound({ name: 'x', direction: 'minimize', epsilon: 0 }, [1, 2])).toBe(-2);
    expect(lowerBound({ name: 'x', direction: 'minimize', epsilon: 0 }, undefined)).toBeNull();
  });
});

describe('independent-root', () => {
  it('never leaves the root', () => {
    for (const job of planBatch(viewOf(60, { count: 10 }), 'independent-root')) {
      expect(job).toMatchObject({ base: 0, inspirations: [], decision: { reason: 'root' } });
    }
  });
});

/** Slots that are filled as they get free, jobs landing in the order of `lands`. */
function streaming(slots: number, jobs: number, lands: (inFlight: number, landed: number) => number): number[] {
  const entries = history(jobs + 1);
  const stale: number[] = [];
  let settled = 1;
  let nextOrdinal = 1;
  const flying: ReturnType<typeof planBatch> = [];
  while (stale.length < jobs) {
    const population = restorePopulation(SETTINGS, entries.slice(0, settled));
    const free = Math.min(slots - flying.length, jobs + 1 - nextOrdinal);
    const planned = planBatch(viewOf(settled, { population, nextOrdinal, count: free, inFlight: flying }));
    nextOrdinal += planned.length;
    flying.push(...planned);
    const [landed] = flying.splice(lands(flying.length, stale.length), 1);
    if (landed === undefined) throw new Error('something lands');
    stale.push(staleness(landed.decision, settled));
    settled++;
  }
  return stale;
}

describe('streaming', () => {
  const mean = (values: readonly number[]) => values.reduce((sum, x) => sum + x, 0) / values.length;

  it('is never stale with one slot', () => {
    expect(streaming(1, 20, () => 0).every((x) => x === 0)).toBe(true);
  });

  it('is one less than the slots stale when jobs land in turn, up to the ramp at the start', () => {
    expect(streaming(4, 30, () => 0).slice(4)).toEqual(Array(26).fill(3));
  });

  it('keeps that mean when they land in any order, and a slow job is staler', () => {
    const stale = streaming(4, 40, (inFlight, landed) => (landed < 20 ? inFlight - 1 : 0));
    // The three that waited for twenty others to land know least.
    expect(Math.max(...stale)).toBeGreaterThanOrEqual(20);
    expect(mean(stale)).toBeLessThanOrEqual(3);
  });
});
