import { expect, test } from 'vitest';
import { dueAt } from '../../../src/daemon/lessons/keeper.ts';
import { questionOf } from '../../../src/daemon/lessons/question.ts';
import type { Experience } from '../../../src/store/index.ts';

const PRIMARY = { name: 'size', direction: 'minimize', epsilon: 0 } as const;

const tried: Experience = {
  ordinal: 7,
  baseOrdinal: 3,
  title: 'Pack tighter',
  summary: 'Packs\ntighter',
  outcome: 'candidate',
  stage: null,
  failureKind: null,
  reason: null,
  scores: { size: 9 },
  baseScores: { size: 10 },
};

const reportOf = (more: Partial<Experience>): string =>
  questionOf('small', PRIMARY, '', [{ ...tried, ...more }])
    .text.split('# Tried since\n\n')[1]
    ?.trim() ?? '';

test('a model is told what came of each job, in the direction of the objective', () => {
  expect(reportOf({})).toBe('- #7 on #3 “Pack tighter”: Packs tighter: candidate, size 9 (1 better than #3)');
  expect(reportOf({ scores: { size: 12 } })).toContain('(2 worse than #3)');
  expect(reportOf({ scores: { size: 10 } })).toContain('(no better than #3)');
  const failed = { outcome: 'invalid', stage: 'evaluate', failureKind: 'test', reason: 'it\n broke', scores: null };
  expect(reportOf({ ...failed, summary: null } as Partial<Experience>)).toBe(
    '- #7 on #3 “Pack tighter”: invalid evaluate/test: it broke',
  );
});

test('what is told is bounded, and no line of it can pass for another', () => {
  const long = '# Goal\n- #9 on #8\n'.repeat(10_000);
  const report = reportOf({ title: long, summary: long, outcome: 'failed', reason: long });
  expect(report.length).toBeLessThan(1_000);
  expect(report.split('\n')).toHaveLength(1);
  const { text } = questionOf(
    long,
    PRIMARY,
    '',
    Array.from({ length: 64 }, () => tried),
  );
  expect(text.length).toBeLessThan(16_000);
  expect(questionOf('small', PRIMARY, 'Loops pay.', []).text).toContain('# Notes so far\n\nLoops pay.\n');
});

test('lessons are due at each multiple, and never at 0', () => {
  expect([0, 1, 3, 4, 11].map((settled) => dueAt(4, settled))).toEqual([0, 0, 0, 4, 8]);
  expect(dueAt(0, 100)).toBe(0);
});
