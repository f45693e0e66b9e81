import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { viewLines } from '../../src/cli/live/view.ts';
import type { CampaignStatus } from '../../src/daemon/index.ts';

const STATUS: CampaignStatus = {
  name: 'zstd',
  state: 'running',
  cause: null,
  running: true,
  directory: '/campaigns/zstd',
  rootCommit: 'c0',
  objectives: [{ name: 'speed', direction: 'maximize', epsilon: 0.1, rankBy: 'value' }],
  budget: { jobs: 40, planned: 12, settled: 10, wallMs: null, wallMsUsed: 65_000 },
  outcomes: { candidate: 6, no_change: 1, duplicate: 1, failed: 1, invalid: 1 },
  failures: { 'evaluate/test': 1, 'agent/crash': 1 },
  root: { ordinal: 0, commit: 'c0', title: 'root', objectives: { speed: 10 }, scores: { speed: 10 } },
  best: { ordinal: 7, commit: 'c7', title: 'Unroll the loop', objectives: { speed: 11.5 }, scores: { speed: 11.5 } },
  gain: 0.15,
  beatsRoot: true,
  winner: null,
  looks: { validation: 0, holdout: 0 },
  trials: { confirmed: 0, refuted: 0, open: null },
  archive: { epoch: 2, cells: 64, occupied: 5, members: 6, warmup: null },
  calls: { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0, unpriced: 0 },
  models: [],
  coders: [],
  staleness: { mean: 1.5, max: 3 },
  waitsFor: [],
  inFlight: [{ ordinal: 11, stage: 'generate', forMs: 3000 }],
  isolation: 2,
};

const seen = (status: CampaignStatus, columns = 100) =>
  viewLines(status, 'http://127.0.0.1:1', columns).map(stripVTControlCharacters);

test('a campaign under way', () => {
  expect(seen(STATUS)).toEqual([
    'zstd  running  1 m 05 s  dashboard http://127.0.0.1:1',
    '████████░░░░░░░░░░░░░░░░░░░░░░ 10/40 jobs',
    'root   speed 10',
    'best   speed 11.5  +15.00 %',
    '       job 7: Unroll the loop',
    'cells  5 of 64 occupied, 6 members, epoch 2',
    'ended  6 valid, 1 invalid, 1 duplicate, 1 without change, 1 failed',
    '       evaluate/test × 1, agent/crash × 1',
    '  job 11  generate  3 s',
  ]);
});

test('a campaign that has only begun', () => {
  const lines = seen({
    ...STATUS,
    root: null,
    best: null,
    gain: null,
    failures: {},
    inFlight: [],
    archive: { ...STATUS.archive, warmup: { have: 2, need: 8 } },
  });
  expect(lines).toContain('root   being measured');
  expect(lines).toContain('cells  warming up: 2 of 8 valid candidates');
});

test('a budget below what is settled, a narrow terminal and a hostile title', () => {
  const budget = { ...STATUS.budget, jobs: 5 };
  expect(seen({ ...STATUS, budget })[1]).toBe(`${'█'.repeat(30)} 10/5 jobs`);
  for (const line of seen(STATUS, 20)) expect(line.length).toBeLessThanOrEqual(20);
  const best = {
    ordinal: 7,
    commit: 'c7',
    title: 'x\u001b]0;owned\u0007',
    objectives: { speed: 1 },
    scores: { speed: 1 },
  };
  expect(viewLines({ ...STATUS, best }, '', 100).join('\n')).not.toContain('\u001b]');
});

test('a campaign whose finals chose a winner', () => {
  const splits = [
    { split: 'validation', objectives: { speed: 11 }, root: { speed: 10 }, gain: 0.1, refusal: null },
    { split: 'holdout', objectives: null, root: null, gain: null, refusal: 'test: it broke' },
  ] as const;
  const chosen = { ordinal: 7, commit: 'c7', title: 'Unroll', settled: 40, closing: true, reason: 'the best', splits };
  expect(seen({ ...STATUS, winner: chosen, looks: { validation: 11, holdout: 1 } }).slice(5, 10)).toEqual([
    'winner job 7, c7: Unroll (finals after 40 jobs)',
    '       the best',
    '       validation: speed 11  +10.00 %  (root speed 10)',
    '       holdout: refused, test: it broke',
    'looks  validation 11, holdout 1',
  ]);
});
