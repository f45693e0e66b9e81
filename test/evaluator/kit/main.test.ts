import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contract } from '../../../src/evaluator/kit/contract.ts';
import { options } from '../../../src/evaluator/kit/options.ts';
import { MachineFault } from '../../../src/evaluator/kit/refusal.ts';

const KIT = resolve(import.meta.dirname, '../../../src/evaluator/kit');

/** Runs an evaluator, whose body is given, in a process of its own. */
async function evaluator(body: string): Promise<{ code: number; result: unknown; stderr: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-kit-'));
  try {
    const script = join(folder, 'evaluate.mjs');
    const resultPath = join(folder, 'result.json');
    await writeFile(
      script,
      `import { main, invalid, infrastructure } from ${JSON.stringify(join(KIT, 'index.ts'))};\n${body}`,
    );
    const { code, stderr } = await new Promise<{ code: number; stderr: string }>((done) => {
      const env = { PATH: process.env.PATH, CLADE_RESULT: resultPath };
      execFile(process.execPath, [script], { env }, (error, _, text) => {
        done({ code: error === null ? 0 : Number(error.code), stderr: text });
      });
    });
    const text = await readFile(resultPath, 'utf8').catch(() => null);
    return { code, result: text === null ? null : JSON.parse(text), stderr };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe('main', () => {
  it('writes the result', async () => {
    const { code, result } = await evaluator(
      `await main(async () => ({ status: 'valid', objectives: { speed: 1.5 } }));`,
    );
    expect({ code, result }).toEqual({ code: 0, result: { status: 'valid', objectives: { speed: 1.5 } } });
  });

  it('writes a refusal as an invalid evaluation', async () => {
    const { code, result } = await evaluator(`await main(async () => invalid('test', 'one fails', 'which'));`);
    expect(code).toBe(0);
    expect(result).toEqual({ status: 'invalid', kind: 'test', summary: 'one fails', evidence: 'which' });
  });

  it.each([
    ['a fault of the machine', `main(async () => infrastructure('no disk'));`],
    ['a bug', `main(async () => null.x);`],
    [
      'a bug that nobody waits for',
      `main(() => { setTimeout(() => null.x); return new Promise(() => setInterval(() => {}, 1e9)); });`,
    ],
    [
      'a rejection that nobody waits for',
      `main(() => { Promise.reject(new Error('x')); return new Promise(() => setInterval(() => {}, 1e9)); });`,
    ],
  ])('ends with 75 and no result for %s', async (_, body) => {
    const { code, result, stderr } = await evaluator(body);
    expect({ code, result }).toEqual({ code: 75, result: null });
    expect(stderr).not.toBe('');
  });

  it.each(['NaN', 'Infinity', '0 / 0'])('refuses %s among the numbers instead of writing null', async (value) => {
    const { code, result } = await evaluator(
      `await main(async () => ({ status: 'valid', objectives: { speed: ${value} } }));`,
    );
    expect(code).toBe(0);
    expect(result).toMatchObject({ status: 'invalid', kind: 'benchmark' });
  });
});

describe('contract', () => {
  it('reads the environment', () => {
    const env = {
      CLADE_ROOT_DIR: '/root',
      CLADE_SPLIT: 'holdout',
      CLADE_SEED: '7',
      CLADE_CPUS: '1,3',
      CLADE_HIDDEN: '/a:/b',
    };
    expect(contract({ ...env, CLADE_COMMIT: 'c', CLADE_ROOT_COMMIT: 'c' })).toMatchObject({
      rootDir: '/root',
      resultPath: null,
      split: 'holdout',
      seed: 7,
      cpus: [1, 3],
      hidden: ['/a', '/b'],
      isRoot: true,
      step: 'evaluate',
    });
    expect(contract({ CLADE_ROOT_DIR: '/root' }).isRoot).toBe(false);
  });

  it.each([{}, { CLADE_ROOT_DIR: '/r', CLADE_SPLIT: 'test' }, { CLADE_ROOT_DIR: '/r', CLADE_SEED: 'x' }])(
    'refuses %o',
    (env) => expect(() => contract(env)).toThrow(MachineFault),
  );
});

describe('options', () => {
  it('takes JSON, or a file that is found from the campaign’s folder', async () => {
    expect(options([])).toEqual({});
    expect(options(['--options', '{"a": 1}'])).toEqual({ a: 1 });
    expect(options(['--options={"a":\n"b=c"}'])).toEqual({ a: 'b=c' });
    const folder = await mkdtemp(join(tmpdir(), 'clade-kit-'));
    await writeFile(join(folder, 'o.json'), '{"b": 2}');
    expect(options(['--options-file', 'o.json'], { CLADE_CAMPAIGN_DIR: folder })).toEqual({ b: 2 });
    await rm(folder, { recursive: true });
  });

  it.each([[['--options']], [['--options', '{']], [['--options-file', 'none.json']], [['--option', '1']], [['x']]])(
    'refuses %j',
    (argv) => expect(() => options(argv)).toThrow(MachineFault),
  );
});
