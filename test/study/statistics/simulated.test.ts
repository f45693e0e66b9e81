import quantile from '@stdlib/stats-base-dists-normal-quantile';
import { describe, expect, test } from 'vitest';
import { generatorFor } from '../../../src/qd/index.ts';
import { bcaInterval, blocksFor, forecast, powerOf, signFlip, subsetInterval } from '../../../src/study/index.ts';

const STUDIES = 2_000;
/** Three standard errors of a share that is expected, in so many studies. */
const within = (expected: number): number => 3 * Math.sqrt((expected * (1 - expected)) / STUDIES);

/** Differences of arms whose true mean log ratio is known. */
function studies(blocks: number, centre: number, deviation: number): number[][] {
  const rng = generatorFor({ seed: 20261201, island: 0, ordinal: blocks, purpose: 'studies' });
  const normal = (): number => quantile((rng.below(2 ** 32) + 0.5) / 2 ** 32, 0, 1);
  return Array.from({ length: STUDIES }, () => Array.from({ length: blocks }, () => centre + deviation * normal()));
}

const share = <T>(items: readonly T[], holds: (item: T) => boolean): number =>
  items.filter(holds).length / items.length;
const covers = (interval: { lower: number; upper: number } | null, centre: number): boolean =>
  interval !== null && interval.lower <= centre && centre <= interval.upper;

describe('with seven blocks of a known effect, 2,000 times', () => {
  const known = studies(7, 0.004, 0.005);

  test('the test has its size', () => {
    const rejected = share(known, (values) => signFlip(values.map((value) => value - 0.004)).p <= 0.05);
    // Of 128 assignments 6 may be as extreme.
    expect(Math.abs(rejected - 6 / 128)).toBeLessThan(within(6 / 128));
  });

  test('the exact interval covers what it says', () => {
    expect(subsetInterval(known[0] ?? [])?.level).toBe(1 - 6 / 128);
    const covered = share(known, (values) => covers(subsetInterval(values), 0.004));
    expect(Math.abs(covered - (1 - 6 / 128))).toBeLessThan(within(6 / 128));
  });

  test('the exact interval and the test say the same', () => {
    const excludesZero = (values: readonly number[]): boolean => !covers(subsetInterval(values), 0);
    expect(share(known, (values) => excludesZero(values) === signFlip(values).p <= 0.05)).toBe(1);
    expect(share(known, excludesZero)).toBeGreaterThan(0.2);
  });

  test('the bootstrap is known to cover less than it says: it is shown beside the exact one, not in its place', () => {
    const covered = share(known, (values) => covers(bcaInterval(values), 0.004));
    expect(covered).toBeGreaterThan(0.85);
    expect(covered).toBeLessThan(0.9);
  });
});

describe('with more blocks', () => {
  test('the bootstrap comes near to what it says', () => {
    const covered = share(studies(40, 0.004, 0.005).slice(0, 1000), (values) =>
      covers(bcaInterval(values, { resamples: 1000 }), 0.004),
    );
    expect(covered).toBeGreaterThan(0.92);
    expect(covered).toBeLessThan(0.97);
  });

  test('drawn subsets cover like all of them', () => {
    const drawn = studies(18, 0.004, 0.005).slice(0, 60);
    expect(share(drawn, (values) => covers(subsetInterval(values), 0.004))).toBeGreaterThan(0.85);
  });

  test('drawn signs give the p-value of all of them, nearly', () => {
    const [values = []] = studies(20, 0.0015, 0.005);
    const exact = signFlip(values);
    expect(exact.assignments).toBe('all');
    // The value 0 changes no mean, so that 21 values have the p-value of the 20.
    const drawn = signFlip([...values, 0]);
    expect(drawn.assignments).toBe(100_000);
    expect(Math.abs(drawn.p - exact.p)).toBeLessThan(0.005);
  });
});

describe('the forecast', () => {
  test.each([
    [7, 1],
    [7, 2],
    [10, 1],
  ])('of %i blocks and a family of %i is what studies find', (blocks, family) => {
    const deviation = 0.005;
    const { smallestEffectPercent } = forecast({ blocks, deviation, family });
    const centre = Math.log1p((smallestEffectPercent ?? 0) / 100);
    const found = share(studies(blocks, centre, deviation), (values) => signFlip(values).p <= 0.05 / family);
    // The forecast is a simulation of 1,000 studies itself.
    expect(Math.abs(found - 0.8)).toBeLessThan(within(0.8) * (1 + Math.SQRT2));
  });

  test('says when no effect could be found', () => {
    expect(forecast({ blocks: 5, deviation: 0.005 })).toEqual({ smallestEffectPercent: null, smallestP: 1 / 16 });
    expect(powerOf({ blocks: 6, deviation: 0.005, family: 2 }, 50)).toBe(0);
  });

  test('says how many blocks find an effect', () => {
    const design = { deviation: 0.005, family: 2 };
    const blocks = blocksFor(design, 0.5) ?? 0;
    expect(powerOf({ ...design, blocks }, 0.5)).toBeGreaterThanOrEqual(0.8);
    expect(powerOf({ ...design, blocks: blocks - 1 }, 0.5)).toBeLessThan(0.8);
    expect(blocksFor(design, 0.001)).toBeNull();
  });

  test('of nothing has the size of the test as its power', () => {
    expect(powerOf({ blocks: 7, deviation: 0.005 }, 0)).toBeCloseTo(6 / 128, 1);
  });
});
