import { expect, test } from 'vitest';
import { messageOf } from '../../../src/daemon/notify/message.ts';
import type { Json } from '../../../src/store/index.ts';

const AT = new Date('2026-01-02T03:04:05Z');
const eventOf = (kind: string, data: Json, ordinal: number | null = null) => ({ id: 7, at: AT, kind, ordinal, data });
const best = (gain: number | null, ordinal = 17, before = 3) =>
  eventOf(
    'campaign.best',
    { commit: 'abcdef0123456789', title: '<!channel>', scores: { x: 2 }, gain, before },
    ordinal,
  );
const textOf = (...args: [ReturnType<typeof eventOf>, ReturnType<typeof eventOf>?]) =>
  messageOf({ name: 'zstd' }, args[0], args[1]).text;

test('another best comes with its job, its commit and its gain', () => {
  const message = messageOf({ name: 'zstd' }, best(0.053), undefined);
  expect(message).toMatchObject({
    ...{ campaign: 'zstd', event: 7, kind: 'best', time: '2026-01-02T03:04:05.000Z' },
    text: 'zstd: job 17 (abcdef012345, +5.30 % over the root) is the best so far',
    data: { job: 17, commit: 'abcdef0123456789', gain: 0.053, before: 3, scores: { x: 2 } },
  });
  expect(message.host).not.toBe('');
  expect(textOf(best(-0.001))).toContain('−0.10 %');
  expect(textOf(best(null))).toBe('zstd: job 17 (abcdef012345) is the best so far');
  expect(textOf(best(0, 0, 5))).toBe(
    'zstd: nothing beats the root any more, job 5 did worse when it was measured again',
  );
});

test('an end comes with its cause and the best of that time', () => {
  const end = eventOf('campaign.finished', { cause: 'budget.jobs: all 6 jobs are done' });
  expect(messageOf({ name: 'zstd' }, end, best(0.5))).toMatchObject({
    kind: 'finished',
    text: 'zstd is finished: budget.jobs: all 6 jobs are done; best is job 17 (abcdef012345, +50.00 % over the root)',
    data: { state: 'finished', cause: 'budget.jobs: all 6 jobs are done', best: { job: 17, gain: 0.5 } },
  });
  expect(messageOf({ name: 'zstd' }, end, best(0, 0))).toMatchObject({ data: { best: null } });
  const stopped = messageOf({ name: 'zstd' }, eventOf('campaign.stopped', { cause: 'by the user' }), undefined);
  expect(stopped).toMatchObject({ kind: 'finished', text: 'zstd is stopped: by the user', data: { state: 'stopped' } });
  expect(messageOf({ name: 'zstd' }, eventOf('campaign.paused', {}), undefined)).toMatchObject({
    ...{ kind: 'paused', text: 'zstd is paused: no cause was given' },
  });
});

test('a text is one plain line whatever a cause holds', () => {
  const message = `a\nb\u001b[31m\u2028 <!channel> ${'x'.repeat(900)}`;
  const text = textOf(eventOf('fault', { what: 'the evaluation', message }));
  expect(text).toMatch(/^zstd: a fault of the machine in the evaluation: a b \[31m {2}‹!channel› x+…$/);
  expect(text).toHaveLength(500);
});
