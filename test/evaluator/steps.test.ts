import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { EvaluatorStep } from '../../src/config/index.ts';
import {
  type EvaluationHooks,
  evaluate,
  type Stage,
  type ValidEvaluation,
  visibilityOf,
} from '../../src/evaluator/index.ts';
import { watchForLeaks } from '../process/fixture.ts';
import { describeIf } from '../support/requirements.ts';
import { campaignOf, EVALUATOR, requester, scratchFolder } from './fixture.ts';

watchForLeaks();
const never = new AbortController().signal;
const request = await requester('off');
const fenced = await requester('required');

type Written = Pick<EvaluatorStep, 'name' | 'kind'> & { readonly script: string } & Partial<EvaluatorStep>;

const step = ({ script, ...rest }: Written): EvaluatorStep => ({
  command: ['sh', '-c', script],
  timeoutMs: 60_000,
  require: {},
  ...rest,
});

const report = (result: unknown) => `echo '${JSON.stringify(result)}' > "$CLADE_RESULT"`;
const build = { name: 'build', kind: 'build', script: 'echo built > built' } as const;
const speed = {
  name: 'bench',
  kind: 'benchmark',
  script: report({ status: 'valid', objectives: { speed: 2 } }),
} as const;
const size = { name: 'size', kind: 'other', script: report({ status: 'valid', objectives: { size: 9 } }) } as const;

/** Runs the steps and keeps what the hook was told. */
async function judge(written: readonly Written[], answer: Awaited<ReturnType<EvaluationHooks['onStage']>> = null) {
  const stages: Stage[] = [];
  const onStage = async (stage: Stage) => {
    stages.push(stage);
    return answer;
  };
  const record = await evaluate(await request({ steps: written.map(step) }), { onStage }, never);
  return { record, evaluation: record.evaluation, stages };
}

describe('steps', () => {
  test('run in order in one checkout, and what they report is merged, the later wins', async () => {
    const first = { objectives: { speed: 1, size: 5 }, intervals: { speed: [0, 2] }, metrics: { a: 1, b: 1 } };
    const second = { objectives: { speed: 3 }, metrics: { b: 2 }, features: { f: 1 }, identity: 'i', summary: 'two' };
    const { evaluation, stages } = await judge([
      build,
      { name: 'one', kind: 'test', script: `cat built; ${report({ status: 'valid', ...first, summary: 'one' })}` },
      { name: 'two', kind: 'benchmark', script: report({ status: 'valid', ...second, evidence: 'more' }) },
    ]);
    expect(evaluation).toEqual({
      status: 'valid',
      objectives: { speed: 3, size: 5 },
      // The interval was of another value.
      intervals: {},
      scores: { speed: 3, size: 5 },
      identity: 'i',
      metrics: { a: 1, b: 2 },
      features: { f: 1 },
      summary: 'two',
      evidence: 'more',
    });
    expect(stages.map(({ position, name, kind, status }) => [position, name, kind, status])).toEqual([
      [0, 'build', 'build', 'passed'],
      [1, 'one', 'test', 'passed'],
      [2, 'two', 'benchmark', 'passed'],
    ]);
    expect(stages[1]).toMatchObject({ objectives: { speed: 1, size: 5 }, metrics: { a: 1, b: 1 }, stdout: 'built\n' });
  });

  test('the first failure decides: of the step’s kind, with the ends of both streams, and no step after it runs', async () => {
    const { evaluation, stages } = await judge([
      { ...build, script: report({ status: 'valid', metrics: { warnings: 3 }, summary: 'built in full' }) },
      { name: 'unit', kind: 'test', script: 'echo not ok 7; echo at line 40 >&2; exit 3' },
      speed,
    ]);
    expect(evaluation).toMatchObject({ status: 'invalid', kind: 'test', summary: 'the step unit exited with code 3' });
    expect(evaluation.evidence).toBe('Passed before: build (built in full, warnings 3)\n\nnot ok 7\nat line 40');
    expect(stages.map(({ name, status, stderr }) => [name, status, stderr])).toEqual([
      ['build', 'passed', ''],
      ['unit', 'failed', 'at line 40\n'],
    ]);
  });

  test.each<[string, Partial<Written>, object]>([
    ['a signal is a failure of the step’s kind', { script: 'kill -SEGV $$' }, { kind: 'test' }],
    ['its own deadline is a timeout', { script: 'sleep 60', timeoutMs: 300 }, { kind: 'timeout' }],
    [
      'an invalid result has its own kind',
      { script: report({ status: 'invalid', kind: 'gate', summary: 'no' }) },
      { kind: 'gate', summary: 'no' },
    ],
    [
      'a broken result is malformed',
      { script: report({ status: 'valid', metrics: { a: 'b' } }) },
      { kind: 'malformed' },
    ],
    [
      'a result in the last line counts',
      { script: 'echo ran; echo \'{"status":"invalid","kind":"scope","summary":"out"}\'' },
      { kind: 'scope', summary: 'out' },
    ],
  ])('%s', async (_name, part, expected) => {
    const { evaluation, stages } = await judge([build, { name: 'unit', kind: 'test', script: '', ...part }, speed]);
    expect(evaluation).toMatchObject({ status: 'invalid', ...expected });
    expect(stages.at(-1)).toMatchObject({ name: 'unit', status: 'failed', ...expected });
  });

  test('what a step prints is no result unless it is one', async () => {
    const printed = ['echo done', 'echo \'{"status":"ok"}\'', "echo '{broken'"];
    const tests = printed.map((script, index): Written => ({ name: `t${index}`, kind: 'test', script }));
    expect((await judge([...tests, speed, size])).evaluation).toMatchObject({ status: 'valid' });
  });

  test('an objective that no step reported is malformed, exit 75 the fault of the machine', async () => {
    expect((await judge([build, speed])).evaluation).toMatchObject({
      kind: 'malformed',
      summary: 'objectives.size: no step reported it',
    });
    const fault = { name: 'fetch', kind: 'other', script: 'exit 75' } as const;
    await expect(judge([build, fault])).rejects.toMatchObject({ code: 'infrastructure' });
  });

  test('a later step does not see result, HOME, TMPDIR or processes of an earlier one', async () => {
    const leave = 'echo x > "$HOME/x"; echo x > "$TMPDIR/x"; echo "{}" > "$CLADE_RESULT.x"; sleep 614159 & exit 0';
    const look =
      'ls -A "$HOME" "$TMPDIR" "$(dirname "$CLADE_RESULT")"; echo "step $CLADE_STEP"; pgrep -x sleep -a || true';
    const { stages } = await judge([
      { name: 'leave', kind: 'other', script: leave },
      { name: 'look', kind: 'other', script: look },
      speed,
    ]);
    expect(stages[1]?.stdout).not.toMatch(/\bx\b|sleep 614159/);
    expect(stages[1]?.stdout).toContain('step look');
  });
});

describe('what a step requires', () => {
  const bench = (require: EvaluatorStep['require']): readonly Written[] => [
    { ...speed, script: report({ status: 'valid', objectives: { speed: 2 }, metrics: { rss: 40 } }), require },
    size,
  ];

  test.each<[EvaluatorStep['require'], string | null]>([
    [{ speed: { min: 2, max: 2 }, rss: { max: 40 } }, null],
    [{ speed: { min: 2.5 } }, 'speed is 2, bench requires at least 2.5'],
    [{ rss: { max: 39 } }, 'rss is 40, bench requires at most 39'],
    [{ rss: { min: 1, max: 9 } }, 'rss is 40, bench requires 1 to 9'],
  ])('%j', async (require, refusal) => {
    const { evaluation, stages } = await judge(bench(require));
    expect(stages).toHaveLength(refusal === null ? 2 : 1);
    if (refusal === null) expect(evaluation.status).toBe('valid');
    else expect(evaluation).toMatchObject({ kind: 'benchmark', summary: refusal });
    expect(stages[0]?.objectives).toEqual({ speed: 2 });
  });

  test('must have been reported: a threshold is never passed over', async () => {
    expect((await judge(bench({ size: { min: 0 } }))).evaluation).toMatchObject({ kind: 'malformed' });
  });

  test('may be known from an earlier step', async () => {
    const late = { ...size, require: { rss: { max: 10 } } };
    expect((await judge([...bench({}).slice(0, 1), late])).evaluation).toMatchObject({ kind: 'other' });
  });
});

describe('the hook', () => {
  const known: ValidEvaluation = {
    status: 'valid',
    ...{ objectives: { speed: 7, size: 7 }, intervals: {}, scores: { speed: 7, size: 7 } },
    ...{ identity: 'i', metrics: {}, features: {}, summary: 'measured before', evidence: '' },
  };

  test('ends the evaluation with a measurement that is there already', async () => {
    const { record, stages } = await judge([build, speed, size], { shared: known });
    expect(record).toMatchObject({ shared: true, evaluation: known });
    expect(stages).toHaveLength(1);
  });

  test('has nothing to spare at the last step', async () => {
    const whole = report({ status: 'valid', objectives: { speed: 1, size: 1 }, identity: 'i' });
    const { record } = await judge([{ name: 'all', kind: 'benchmark', script: whole }], { shared: known });
    expect(record).toMatchObject({ shared: false, evaluation: { objectives: { speed: 1 } } });
  });

  test('does not turn a failure into a success', async () => {
    const { record } = await judge([{ ...build, script: 'exit 1' }, speed], { shared: known });
    expect(record).toMatchObject({ shared: false, evaluation: { kind: 'build' } });
  });

  test('is waited for before the next step begins, and what it throws ends the evaluation', async () => {
    const own = await request({ steps: [build, speed].map(step) });
    const onStage = async () => {
      throw new Error('the database is away');
    };
    await expect(evaluate(own, { onStage }, never)).rejects.toThrow('the database is away');
  });
});

await describeIf('bubblewrap', 'the data of the splits', async () => {
  const data = await scratchFolder();
  for (const name of ['train', 'validation', 'holdout']) {
    await mkdir(join(data, name));
    await writeFile(join(data, name, 'secret'), name);
  }
  const of = (name: 'train' | 'validation' | 'holdout') => ({ path: join(data, name), splits: [name] });
  const look = { name: 'look', kind: 'other', script: `cat ${data}/*/secret; echo "[$CLADE_HIDDEN]"` } as const;

  const seen = async (split: 'train' | 'validation', hidden = [of('train'), of('validation'), of('holdout')]) => {
    const made = await fenced({ steps: [step(look), step(speed), step(size)], hidden }, { split });
    const said: string[] = [];
    const onStage = async ({ stdout }: Stage) => {
      said.push(stdout);
      return null;
    };
    const { notes } = await evaluate(made, { onStage }, never);
    return { said: said[0], notes };
  };

  test('is there for its split and for no other', async () => {
    expect(await seen('train')).toEqual({ said: `train[${data}/train]\n`, notes: [] });
    expect(await seen('validation')).toEqual({ said: `validation[${data}/validation]\n`, notes: [] });
    expect((await seen('train', [of('holdout')])).said).toBe('[]\n');
  });

  test('is masked inside a folder that is shown', async () => {
    const all = { path: data, splits: ['train' as const] };
    expect((await seen('train', [all, of('holdout'), of('validation')])).said).toBe(`train[${data}]\n`);
  });

  test('is masked in the checkouts of the target that it lies in, and in the cache', async () => {
    const made = await fenced({ steps: [step(look), step(speed), step(size)] });
    const target = join(data, 'holdout');
    const hidden = [
      { path: join(target, 'data'), splits: ['holdout' as const] },
      { path: join(made.cache, 'data'), splits: ['holdout' as const] },
    ];
    for (const place of [made.checkout, made.rootCheckout, made.cache]) {
      await mkdir(join(place, 'data'));
      await writeFile(join(place, 'data/secret'), 'told');
    }
    const script = 'cat data/secret "$CLADE_ROOT_DIR/data/secret" "$CLADE_CACHE/data/secret"; echo end';
    const campaign = {
      ...made.campaign,
      target: { ...made.campaign.target, repository: target },
      evaluator: { ...EVALUATOR, hidden, steps: [step({ ...look, script }), step(speed), step(size)] },
    };
    const said: string[] = [];
    const onStage = async ({ stdout }: Stage) => {
      said.push(stdout);
      return null;
    };
    await evaluate({ ...made, campaign }, { onStage }, never);
    expect(said[0]).toBe('end\n');
  });
});

test('an agent sees nothing that is hidden, in the checkouts of the target neither', () => {
  const { target, evaluator } = campaignOf({ repository: '/data/target' });
  const hidden = [
    { path: '/data/target/holdout', splits: ['holdout' as const] },
    { path: '/data/reference', splits: ['train' as const] },
  ];
  const campaign = { target, evaluator: { ...evaluator, hidden } };
  expect(visibilityOf(campaign, null, ['/lane/worktree'])).toEqual({
    shown: [],
    masked: ['/data/target/holdout', '/lane/worktree/holdout', '/data/reference'],
  });
  expect(visibilityOf(campaign, 'train', ['/lane/worktree']).shown).toEqual(['/data/reference']);
});

test('without a sandbox the record says that nothing was masked', async () => {
  const hidden = [{ path: '/etc/hostname', splits: ['holdout' as const] }];
  const made = await request({ steps: [step(speed), step(size)], hidden });
  const { notes } = await evaluate(made, { onStage: async () => null }, never);
  expect(notes).toEqual([expect.stringContaining('was not masked: isolation level 0')]);
});

test('a candidate that takes more than it may has crashed, and what it took is on record', async () => {
  const own = await request({ steps: [step({ ...build, script: '(head -c 100000000 /dev/zero; sleep 60) | tail' })] });
  const limits = { ...own.campaign.limits, memoryBytes: 50e6 };
  const stages: Stage[] = [];
  const onStage = async (stage: Stage) => {
    stages.push(stage);
    return null;
  };
  const { evaluation } = await evaluate({ ...own, campaign: { ...own.campaign, limits } }, { onStage }, never);
  expect(evaluation).toMatchObject({
    kind: 'crash',
    summary: expect.stringContaining('the step build was ended: memory'),
  });
  expect(stages[0]?.peakMemoryBytes).toBeGreaterThan(50e6);
});
