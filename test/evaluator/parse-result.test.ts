import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseResult } from '../../src/evaluator/index.ts';

const objectives = [
  { name: 'speed', direction: 'maximize', rankBy: 'value' },
  { name: 'size', direction: 'minimize', rankBy: 'value' },
] as const;
const whole = { status: 'valid', objectives: { speed: 1, size: -2.5 } };

function parse(value: unknown) {
  return parseResult(typeof value === 'string' ? value : JSON.stringify(value), objectives);
}

describe('a result by the contract', () => {
  test('is read in full', () => {
    const result = {
      ...whole,
      intervals: { speed: [0.9, 1.1] },
      identity: 'sha256:abc',
      metrics: { rss: 41.2 },
      features: { branches: 12 },
      summary: 'one\nline',
      evidence: 'two\nlines',
    };
    expect(parse(result)).toEqual({ ...result, scores: whole.objectives, summary: 'one line' });
  });

  test('needs no more than its objectives', () => {
    expect(parse(whole)).toEqual({
      ...whole,
      intervals: {},
      scores: whole.objectives,
      identity: null,
      metrics: {},
      features: {},
      summary: '',
      evidence: '',
    });
  });

  test('may be invalid with a kind', () => {
    const result = { status: 'invalid', kind: 'test', summary: '3 of 9 failed', evidence: 'line 7' };
    expect(parse(result)).toEqual(result);
  });

  test('loses undeclared objectives and intervals', () => {
    const result = { ...whole, objectives: { ...whole.objectives, extra: 9 }, intervals: { extra: [1, 2] } };
    expect(parse(result)).toMatchObject({ objectives: whole.objectives, intervals: {} });
  });

  test('takes the last of duplicate keys', () => {
    const text = '{"status":"valid","objectives":{"speed":1,"speed":2,"size":0}}';
    expect(parse(text)).toMatchObject({ objectives: { speed: 2, size: 0 } });
  });

  test('may be an interval that does not hold the value', () => {
    expect(parse({ ...whole, intervals: { speed: [2, 3] } })).toMatchObject({ status: 'valid' });
  });

  test('has its texts cut and made storable', () => {
    const result = parse({ ...whole, summary: `a\0b${'x'.repeat(9_999)}`, evidence: `\ud800${'y'.repeat(99_999)}` });
    expect(result.summary.length).toBeLessThan(600);
    expect(result.evidence.length).toBeLessThan(33_000);
    expect(`${result.summary}${result.evidence}`).not.toContain('\0');
    expect(result.evidence.isWellFormed()).toBe(true);
  });
});

describe('a malformed result says why', () => {
  const objectivesWith = (speed: string) => `{"status":"valid","objectives":{"speed":${speed},"size":1}}`;
  test.each([
    ['nothing', '', /no result/],
    ['no JSON', 'speed = 3', /not JSON/],
    ['a NaN token', objectivesWith('NaN'), /not JSON/],
    ['an Infinity token', objectivesWith('-Infinity'), /not JSON/],
    ['a number too large', objectivesWith('1e999'), /objectives\.speed.*Infinity/],
    ['a numeric string', objectivesWith('"3"'), /objectives\.speed.*string/],
    ['a boolean', objectivesWith('true'), /objectives\.speed.*boolean/],
    ['null', objectivesWith('null'), /objectives\.speed.*null/],
    ['a missing objective', { ...whole, objectives: { speed: 1 } }, /objectives\.size/],
    ['no objectives', { status: 'valid' }, /objectives/],
    ['a list', [whole], /the result.*array/],
    ['a number', 3, /the result/],
    ['JSON null', null, /the result/],
    ['an unknown status', { ...whole, status: 'great' }, /status/],
    ['an unknown kind', { status: 'invalid', kind: 'bad' }, /kind/],
    ['a kind that is ours to give', { status: 'invalid', kind: 'timeout' }, /kind/],
    ['an interval upside down', { ...whole, intervals: { speed: [2, 1] } }, /intervals\.speed.*low/],
    ['an interval of three', { ...whole, intervals: { speed: [1, 2, 3] } }, /intervals\.speed/],
    [
      'an infinite interval',
      '{"status":"valid","objectives":{"speed":1,"size":1},"intervals":{"speed":[0,1e999]}}',
      /intervals\.speed/,
    ],
    ['a metric that is no number', { ...whole, metrics: { rss: '41' } }, /metrics\.rss/],
    ['a summary that is no text', { ...whole, summary: 3 }, /summary/],
    ['an identity with NUL', { ...whole, identity: 'a\0' }, /identity/],
    [
      'thousands of metrics',
      { ...whole, metrics: Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [n, n])) },
      /1000/,
    ],
    ['10 MB of JSON', { ...whole, evidence: 'x'.repeat(10_000_000) }, /larger/],
  ])('%s', (_name, value, reason) => {
    expect(parse(value)).toMatchObject({
      status: 'invalid',
      kind: 'malformed',
      summary: expect.stringMatching(reason),
    });
  });

  test('and whatever comes, nothing is thrown and all numbers are finite', () => {
    const json = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((part) => `{"status":"valid","objectives":${part}}`),
    );
    fc.assert(
      fc.property(json, (text) => {
        const result = parse(text);
        if (result.status === 'valid') expect(Object.values(result.objectives).every(Number.isFinite)).toBe(true);
        else expect(result.kind).toBe('malformed');
      }),
    );
  });
});

describe('an objective that is ranked by its bound', () => {
  const bounded = [
    { name: 'speed', direction: 'maximize', rankBy: 'bound' },
    { name: 'size', direction: 'minimize', rankBy: 'bound' },
  ] as const;
  const intervals = { speed: [0.9, 1.1], size: [-3, -2] };

  test('gives the worse end of the interval as its score', () => {
    expect(parseResult(JSON.stringify({ ...whole, intervals }), bounded)).toMatchObject({
      objectives: whole.objectives,
      scores: { speed: 0.9, size: -2 },
    });
  });

  test('needs the interval', () => {
    expect(parseResult(JSON.stringify({ ...whole, intervals: { size: [0, 1] } }), bounded)).toMatchObject({
      status: 'invalid',
      kind: 'malformed',
      summary: expect.stringContaining('intervals.speed'),
    });
  });
});
