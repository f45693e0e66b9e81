import { expect, test } from 'vitest';
import { explainPlacement } from '../../../../src/daemon/views/explain/placement.ts';
import type { Member } from '../../../../src/qd/index.ts';
import type { PlacementRow } from '../../../../src/store/index.ts';

const SETTINGS = { rule: 'box', epsilons: [1, 1] } as const;

const row = (ordinal: number, verdict: PlacementRow['verdict'], reason: string, evicted: number[] = [], cell = 2) => ({
  ...{ campaignId: 1, island: 0, epoch: 3, ordinal, verdict, cell, reason, coordinates: [0.5], evicted },
  settlement: ordinal,
});

const members = (points: Readonly<Record<number, readonly [number, number]>>): Map<number, Member> =>
  new Map(
    Object.entries(points).map(([ordinal, point]) => [
      Number(ordinal),
      { ordinal: Number(ordinal), point: Float64Array.from(point) },
    ]),
  );

function story(ordinal: number, epoch: readonly PlacementRow[], points: Parameters<typeof members>[0]) {
  const own = epoch.find((placement) => placement.ordinal === ordinal);
  if (own === undefined) throw new Error(`the epoch has no job ${ordinal}`);
  return explainPlacement(own, epoch, members(points), SETTINGS);
}

const POINTS = { 1: [9, 1], 2: [1, 9], 3: [8, 0], 4: [9, 9], 5: [0, 0] } as const;
const EPOCH = [
  row(1, 'new', 'empty'),
  row(2, 'improved', 'incomparable'),
  row(3, 'rejected', 'dominated'),
  row(4, 'improved', 'dominates', [1, 2]),
  row(5, 'rejected', 'dominated'),
];

test('a candidate is rejected by the members that dominate it, and by those alone', () => {
  expect(story(3, EPOCH, POINTS)).toMatchObject({
    retained: false,
    by: [1],
    because: 'In epoch 3 of island 0 it was rejected by the front of cell 2: members of the front dominate it (job 1).',
  });
});

test('those that were gone when it came are not blamed', () => {
  expect(story(5, EPOCH, POINTS).by).toEqual([4]);
});

test('who evicted it is named, and whom it evicted', () => {
  expect(story(2, EPOCH, POINTS)).toMatchObject({
    retained: false,
    by: [4],
    because:
      'In epoch 3 of island 0 it joined the front of cell 2: it and the members of the front do not dominate each other. Job 4 evicted it: it dominates members of the front.',
  });
  expect(story(4, EPOCH, POINTS)).toMatchObject({
    retained: true,
    by: [],
    because:
      'In epoch 3 of island 0 it joined the front of cell 2: it dominates members of the front. Jobs 1 and 2 left.',
  });
});

test('a full front rejects as a whole', () => {
  const epoch = [row(1, 'new', 'empty'), row(2, 'improved', 'incomparable'), row(3, 'rejected', 'crowded')];
  expect(story(3, epoch, { 1: [9, 1], 2: [1, 9], 3: [5, 5] }).by).toEqual([1, 2]);
});

test('another cell has nothing to do with it', () => {
  const epoch = [row(1, 'new', 'empty', [], 7), row(2, 'new', 'empty'), row(3, 'rejected', 'dominated')];
  expect(story(3, epoch, { 1: [9, 9], 2: [8, 8], 3: [0, 0] }).by).toEqual([2]);
});
