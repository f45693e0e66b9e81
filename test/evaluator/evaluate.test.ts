import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Campaign } from '../../src/config/index.ts';
import { evaluate, NO_HOOKS } from '../../src/evaluator/index.ts';
import { watchForLeaks } from '../process/fixture.ts';
import { describeIf } from '../support/requirements.ts';
import { EVALUATORS, requester, stepsOf } from './fixture.ts';

watchForLeaks();
afterEach(() => vi.unstubAllEnvs());
const never = new AbortController().signal;
const MEASURED = { status: 'valid', objectives: { speed: 1.25, size: -3 }, summary: 'measured' };

const forOff = await requester('off');
const forRequired = await requester('required');
describe('without a sandbox', () => contract(forOff, 'off'));
await describeIf('bubblewrap', 'in the sandbox', () => contract(forRequired, 'required'));

function contract(request: Awaited<ReturnType<typeof requester>>, sandbox: Campaign['sandbox']) {
  const judge = async (script: string, timeoutMs = 60_000) =>
    evaluate(await request({ steps: stepsOf([`./${script}`], timeoutMs), timeoutMs }), NO_HOOKS, never);

  test('the last line of stdout is the result', async () => {
    const record = await judge('printed.sh');
    expect(record.evaluation).toMatchObject(MEASURED);
    expect(record.isolation).toBe(sandbox === 'off' ? 0 : 2);
    expect(record.stdout.text).toMatch(/^building …\n/);
  });

  test('the result file wins over stdout', async () => {
    expect((await judge('written.sh')).evaluation).toMatchObject(MEASURED);
  });

  test.each(['ignore-term.sh', 'spin.sh', 'hang-with-children.sh'])(
    '%s: a deadline ends the whole tree',
    async (script) => {
      expect((await judge(script, 400)).evaluation).toMatchObject({ status: 'invalid', kind: 'timeout' });
    },
  );

  test('an answer counts although children hold its pipes', async () => {
    expect((await judge('leave-children.sh')).evaluation).toMatchObject(MEASURED);
  });

  test('a segmentation fault is a crash with the tail of stderr', async () => {
    const { evaluation } = await judge('segfault.sh');
    expect(evaluation).toMatchObject({ kind: 'crash', summary: expect.stringContaining('SIGSEGV') });
    expect(evaluation.evidence).toContain('about to fall');
  });

  test('who kills his own group has crashed', async () => {
    expect((await judge('kill-group.sh')).evaluation).toMatchObject({ kind: 'crash' });
  });

  test('who kills his parent is one failed job', async () => {
    const { evaluation } = await judge('kill-parent.sh', 1_000);
    expect(evaluation).toMatchObject({ status: 'invalid', kind: sandbox === 'off' ? 'crash' : 'timeout' });
  });

  test('a flood of 200 MB is cut, the result after it is read', async () => {
    const record = await judge('flood.sh');
    expect(record.evaluation).toMatchObject(MEASURED);
    expect(record.stderr).toMatchObject({ bytes: 100_000_000, truncated: true });
    expect(record.stdout.text.length + record.stderr.text.length).toBeLessThan(300_000);
  });

  test('one endless line is malformed', async () => {
    const { evaluation } = await judge('endless-line.sh');
    expect(evaluation).toMatchObject({ kind: 'malformed' });
    expect(evaluation.evidence.length).toBeLessThan(40_000);
  });

  test('output that is no text is stored as text', async () => {
    const record = await judge('raw-bytes.sh');
    expect(record.evaluation).toMatchObject(MEASURED);
    expect(record.stderr.text).toMatch(/^a\uFFFDb\uFFFDc\uFFFD+\n$/);
    expect(record.stdout.text).not.toContain('\0');
  });

  test.each(['linked-result.sh', 'fifo-result.sh'])('%s: only a regular file is a result', async (script) => {
    const { evaluation } = await judge(script);
    expect(evaluation).toMatchObject({ kind: 'malformed', summary: expect.stringContaining('no result') });
  });

  test('10 MB of result are malformed', async () => {
    expect((await judge('huge-result.sh')).evaluation).toMatchObject({ kind: 'malformed' });
  });

  test('a late crash keeps what was reported before, but no numbers', async () => {
    const { evaluation } = await judge('late-crash.sh');
    expect(evaluation).toMatchObject({ status: 'invalid', kind: 'crash' });
    expect(evaluation.evidence).toContain('stage two');
    expect(evaluation.evidence).toContain('measured');
    expect(evaluation).not.toHaveProperty('objectives');
  });

  test('exit 75 is the fault of the machine', async () => {
    await expect(judge('tempfail.sh')).rejects.toMatchObject({
      code: 'infrastructure',
      message: expect.stringContaining('license server'),
    });
  });

  test('an evaluator that is not there is not the fault of the candidate', async () => {
    await expect(judge('no-such.sh')).rejects.toMatchObject({ code: 'infrastructure' });
  });

  test('an abort is an interruption', async () => {
    const running = evaluate(await request({ steps: stepsOf(['./spin.sh']) }), NO_HOOKS, AbortSignal.timeout(200));
    await expect(running).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('links among the artifacts are not followed', async () => {
    const { artifacts, notes } = await judge('artifacts.sh');
    expect(artifacts.map(({ name, type, bytes }) => ({ name, type, bytes }))).toEqual([
      { name: 'deep/table.csv', type: 'text/csv', bytes: 4 },
      { name: 'plot.svg', type: 'image/svg+xml', bytes: 42 },
    ]);
    expect(notes).toHaveLength(3);
  });

  test('it gets what the contract says and nothing more', async () => {
    vi.stubEnv('DATABASE_URL', 'postgres://hush');
    vi.stubEnv('LICENSE', 'l1');
    const own = await request({ steps: stepsOf(['node', 'report.mjs', EVALUATORS]), env: ['LICENSE'] }, { cpus: [0] });
    const { evaluation } = await evaluate(own, NO_HOOKS, never);
    expect(evaluation.summary).toBe('');
    const seen = JSON.parse(evaluation.evidence);
    expect(seen).toMatchObject({ cwd: own.checkout, script: join(own.bundle, 'report.mjs'), cpus: '0' });
    expect(seen.env).toMatchObject({
      CLADE_ROOT_DIR: own.rootCheckout,
      CLADE_CACHE: own.cache,
      CLADE_SPLIT: 'train',
      CLADE_SEED: '7',
      CLADE_CPUS: '0',
      CLADE_COMMIT: 'c0ffee',
      CLADE_ROOT_COMMIT: 'decade',
      CLADE_CAMPAIGN_DIR: own.bundle,
      LICENSE: 'l1',
    });
    expect(
      Object.keys(seen.env).filter(
        (name) => !/^(CLADE_|PATH$|LANG$|TZ$|HOME$|TMPDIR$|LICENSE$|PWD$|SHLVL$|_$|OLDPWD$)/.test(name),
      ),
    ).toEqual([]);
    expect(await readdir(own.checkout)).toEqual(['built-in-place']);
    expect(evaluation.evidence.includes('hush')).toBe(false);
    // The campaign folder itself, where hidden data may lie, is only out of sight in a sandbox.
    expect(seen.visible).toEqual(sandbox === 'off' ? [EVALUATORS] : []);
  });
}

describe('the lane', () => {
  test('a CPU that is not there is not the fault of the candidate', async () => {
    const running = evaluate(await forOff({ steps: stepsOf(['./printed.sh']) }, { cpus: [4095] }), NO_HOOKS, never);
    await expect(running).rejects.toMatchObject({ code: 'infrastructure' });
  });
});

await describeIf('bubblewrap', 'paths beside the checkout', () => {
  const visible = async (more: 'hidden' | 'readOnly' | 'none') => {
    const other = await forRequired({});
    const path = join(other.cache, 'beside.json');
    await writeFile(path, '{}');
    const hidden = more === 'hidden' ? [{ path, splits: ['train' as const] }] : [];
    const readOnly = more === 'readOnly' ? [path] : [];
    const own = await forRequired({ steps: stepsOf(['node', 'report.mjs', path]), hidden }, { readOnly });
    const { evaluation } = await evaluate(own, NO_HOOKS, never);
    return JSON.parse(evaluation.evidence).visible.length === 1;
  };

  test('are not seen by themselves', async () => expect(await visible('none')).toBe(false));
  test('are seen when hidden from agents: the evaluator needs them', async () =>
    expect(await visible('hidden')).toBe(true));
  test('are seen when links of the checkout point to them', async () => expect(await visible('readOnly')).toBe(true));
});
