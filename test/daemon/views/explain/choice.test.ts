import { expect, test } from 'vitest';
import { explainBase } from '../../../../src/daemon/views/explain/base.ts';
import { readDecision } from '../../../../src/daemon/views/explain/decision.ts';
import { explainInspirations } from '../../../../src/daemon/views/explain/inspirations.ts';
import { explainKnowledge } from '../../../../src/daemon/views/explain/knowledge.ts';
import type { Decision } from '../../../../src/policy/index.ts';
import { createArchive, createPopulation, type Entry, type Population } from '../../../../src/qd/index.ts';

const JOB = { kind: 'generate', ordinal: 9, island: 1, baseOrdinal: 4 } as const;
const WHO = { policy: 'quality-diversity', version: 6 };
const DRAWN: Decision = {
  ...WHO,
  ...{
    reason: 'archive',
    epoch: 2,
    cell: 1,
    resamples: 0,
    baseReused: false,
    recipeReused: false,
    radius: 1,
    fallback: 0,
  },
};

/** A population on a line of eight cells with the given jobs in them. */
function populationOf(cells: Readonly<Record<number, readonly number[]>>): Population {
  const settings = {
    ...{ warmup: 1, objectives: [{ name: 'speed', direction: 'maximize', epsilon: 1 }] as const, grid: { cells: 8 } },
    ...{ front: { rule: 'box', capacity: 8 } as const, projection: { dimensions: 1, clip: 3, refit: 8, history: 64 } },
  };
  const axis = Float64Array.of(1);
  const projection = { mean: axis, axes: [axis], explained: [1], clip: 3 };
  const archive = createArchive(settings, projection);
  for (const [cell, ordinals] of Object.entries(cells)) {
    const entries = ordinals.map((ordinal): Entry => ({ ordinal, point: axis, vector: Float32Array.of(0) }));
    archive.fronts.set(Number(cell), entries);
  }
  return { ...createPopulation(settings), archive };
}

test('a warm-up, a champion and the root are said in words', () => {
  const why = (decision: Decision | null, direction: 'maximize' | 'minimize' = 'maximize') =>
    explainBase(JOB, decision, null, {
      primary: { name: 'bytes', direction, epsilon: 0, rankBy: 'value' },
    }).because.join(' ');
  expect(why({ ...WHO, reason: 'warmup', have: 3, need: 8 })).toContain('warming up with 3 of 8');
  expect(why({ policy: 'sequential-champion', version: 1, reason: 'champion', bound: 7 })).toContain(
    'bytes at least 7',
  );
  expect(why({ policy: 'sequential-champion', version: 1, reason: 'champion', bound: -7 }, 'minimize')).toContain(
    'bytes at most 7',
  );
  expect(why({ policy: 'independent-root', version: 1, reason: 'root' })).toContain('independent-root');
  expect(explainBase({ ...JOB, kind: 'root', baseOrdinal: null }, null, null).because).toEqual([
    'It is the root of the campaign.',
  ]);
  expect(explainBase({ ...JOB, kind: 'seed', baseOrdinal: 0 }, null, null).because.join()).toContain('of the user');
});

test('a drawn base tells of its cell and of what was drawn again', () => {
  const population = populationOf({ 1: [4, 5], 3: [6] });
  expect(explainBase(JOB, DRAWN, population)).toMatchObject({
    drawn: { cell: 1, epoch: 2, occupied: 2, members: 2 },
    because: ['From epoch 2 of island 1: cell 1, drawn from 2 occupied cells; its front had 2 members.'],
  });
  const crowded = { ...DRAWN, resamples: 32, baseReused: true, recipeReused: true };
  expect(explainBase(JOB, crowded, population).because).toHaveLength(4);
});

test('inspirations come with their distance, the nearest first, then a migrant', () => {
  const population = populationOf({ 1: [4, 5], 2: [6], 7: [8] });
  const decision = { ...DRAWN, migrant: { island: 0, ordinal: 3 } };
  const { chosen, because } = explainInspirations({ island: 1, inspirations: [3, 8, 5, 6] }, decision, population);
  expect(chosen.map(({ ordinal, origin, distance }) => [ordinal, origin, distance])).toEqual([
    [5, 'near', 0],
    [6, 'near', 1],
    [8, 'fallback', 6],
    [3, 'migrant', null],
  ]);
  expect(because).toEqual([
    "Job 5 is from the base's own cell.",
    "Job 6 is from cell 2, 1 cell from the base's.",
    "Job 8 is from cell 7, 6 cells from the base's: nearer ones were too few.",
    "Job 3 is an elite of island 0: it was this job's turn to take one.",
  ]);
});

test('no inspirations have a reason too', () => {
  const none = { island: 1, inspirations: [] };
  expect(explainInspirations(none, { ...WHO, reason: 'warmup', have: 1, need: 2 }, null).because[0]).toContain(
    'no archive',
  );
  expect(explainInspirations(none, { ...WHO, reason: 'root' }, null).because[0]).toContain('gives none');
  expect(explainInspirations(none, { ...DRAWN, migrant: null }, populationOf({ 1: [4] })).because).toHaveLength(2);
});

test('knowledge counts what was seen and what came after it', () => {
  expect(explainKnowledge({ island: 1, staleness: 3 }, DRAWN).because).toEqual([
    'Its policy had seen 6 entries of island 1.',
    'Until it settled the island took 3 more (staleness τ = 3).',
  ]);
  expect(explainKnowledge({ island: 0, staleness: null }, null)).toEqual({
    entries: null,
    staleness: null,
    because: [],
  });
});

test('only decisions that a policy of this version makes are read', () => {
  expect(readDecision(DRAWN)).toEqual(DRAWN);
  for (const strange of [null, {}, { ...WHO, reason: 'whim' }, { ...DRAWN, cell: 'a1' }]) {
    expect(readDecision(strange)).toBeNull();
  }
});
