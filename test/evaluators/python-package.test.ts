import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../campaigns/run.ts';
import { type ReadyRun, runReady } from './run-ready.ts';

/** A package that adds up slowly, in two modules; it imports what a candidate could do harm with. */
const ROOT = {
  'pkg/__init__.py': 'from .add import total\n',
  'pkg/add.py': `
import gc, os, sys, threading, time

def total(n):
    found = 0
    for i in range(n):
        found += i
    return found
`,
};

const BENCHMARK = `
def setup(package):
    return package

def inputs(seed):
    return [20000 + seed % 97, 20001]

def run(package, numbers):
    return [package.total(n) for n in numbers]

def cases(seed):
    return [[3], [10, 20], [0]]
`;

const FAST = 'def total(n):\n    return n * (n - 1) // 2\n';
const OPTIONS = {
  package: 'pkg',
  benchmark: 'bench.py',
  python: '/usr/bin/python3',
  test: ['python', '-c', 'import pkg; assert pkg.total(4) == 6'],
  rounds: 2,
  maxRounds: 2,
  trim: 0,
  repeats: 2,
  roundSeconds: 20,
};

interface Given {
  /** The candidate's pkg/add.py. */
  readonly add?: string;
  readonly root?: Readonly<Record<string, string>>;
  readonly options?: object;
  readonly benchmark?: string;
}

async function judge({ add, root = ROOT, options, benchmark = BENCHMARK }: Given): Promise<ReadyRun> {
  await using folder = await temporaryFolder();
  const write = async (name: string, files: Readonly<Record<string, string>>): Promise<string> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder.path, name, path, '..'), { recursive: true });
      await writeFile(join(folder.path, name, path), text);
    }
    return join(folder.path, name);
  };
  const rootDir = await write('root', root);
  const checkout = await write('checkout', { ...root, ...(add === undefined ? {} : { 'pkg/add.py': add }) });
  await write('.', { 'bench.py': benchmark });
  return await runReady({
    name: 'python-package',
    options: { ...OPTIONS, ...options },
    checkout,
    root: rootDir,
    scratch: folder.path,
  });
}

/** The root's function with statements before its loop. */
const meddling = (statements: string): string =>
  (ROOT['pkg/add.py'] ?? '').replace('    found = 0\n', `    found = 0\n    ${statements}\n`);

describe('the evaluator of Python packages', () => {
  it('gives the root 1, with what was measured beside it', async () => {
    const { exitCode, result } = await judge({});
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({
      status: 'valid',
      objectives: { throughput: 1 },
      intervals: { throughput: [1, 1] },
      metrics: { cases: 3, throughput_rounds: 2 },
    });
    expect(result?.metrics?.throughput_ratio).toBeGreaterThan(0);
  });

  it.each([false, true])('finds a faster candidate (isolate: %s)', async (isolate) => {
    const { result } = await judge({ add: FAST, options: { isolate } });
    expect(result).toMatchObject({ status: 'valid' });
    expect(result?.objectives?.throughput).toBeGreaterThan(3);
  });

  it('measures wall time, too, and packages in another folder', async () => {
    const root = Object.fromEntries(Object.entries(ROOT).map(([path, text]) => [`src/${path}`, text]));
    expect((await judge({ root, options: { path: 'src', clock: 'wall' } })).result).toMatchObject({ status: 'valid' });
  });

  it('takes a candidate that differs in comments and layout for the root', async () => {
    const [plain, commented] = [await judge({}), await judge({ add: `# faster\n${ROOT['pkg/add.py']}\n\n` })];
    expect(commented.result?.identity).toBe(plain.result?.identity);
    expect(commented.result?.objectives).toEqual({ throughput: 1 });
    const other = await judge({ add: FAST });
    expect(other.result?.identity).not.toBe(plain.result?.identity);
  });

  it.each([
    ['another output', 'def total(n):\n    return n if n == 10 else n * (n - 1) // 2\n', 'gate', 'case 1'],
    [
      'another output of the timed work alone',
      'def total(n):\n    return n if n > 10000 else n * (n - 1) // 2\n',
      'gate',
      'timed work',
    ],
    [
      'a promise of an output',
      `class Later(int):\n    pass\ndef total(n):\n    return Later(n * (n - 1) // 2)\n`,
      'gate',
      'plain',
    ],
    ['a failing test', 'def total(n):\n    return 7 if n == 4 else n * (n - 1) // 2\n', 'test', 'AssertionError'],
    ['no Python', 'def total(n:\n', 'build', 'add.py'],
    ['a new import', `import subprocess\n${FAST}`, 'scope', 'subprocess'],
    ['code from text', `total = eval('lambda n: n * (n - 1) // 2')\n`, 'scope', 'eval'],
    [
      'an exception in the timed work',
      'def total(n):\n    return n * (n - 1) // 2 if n < 100 else nowhere\n',
      'test',
      'NameError',
    ],
    [
      'an exit',
      'import sys\ndef total(n):\n    if n > 100: sys.exit(0)\n    return n * (n - 1) // 2\n',
      'test',
      'SystemExit',
    ],
    [
      'a silent end',
      'import os\ndef total(n):\n    if n > 100: os._exit(0)\n    return n * (n - 1) // 2\n',
      'test',
      'no report',
    ],
    [
      'a forged report',
      `import os, sys\ndef total(n):\n    if n > 100:\n        print('{"ok": {"root": [9], "candidate": [1]}}')\n        sys.stdout.flush()\n        os._exit(0)\n    return n * (n - 1) // 2\n`,
      'test',
      'no report',
    ],
    [
      'an endless loop',
      'def total(n):\n    while n > 100: pass\n    return n * (n - 1) // 2\n',
      'benchmark',
      'within 3 s',
    ],
  ])('refuses %s', async (_, add, kind, words) => {
    const { exitCode, result } = await judge({ add, options: { roundSeconds: kind === 'benchmark' ? 3 : 20 } });
    expect({ exitCode, status: result?.status, kind: result?.kind }).toEqual({ exitCode: 0, status: 'invalid', kind });
    expect(`${result?.summary}\n${result?.evidence}`).toContain(words);
  });

  it.each([
    ['moves the clock', 'time.process_time_ns = lambda: 0', 'time.process_time_ns'],
    ['watches the interpreter', 'sys.settrace(lambda *_: None)', 'trace'],
    ['stops the collector', 'gc.disable()', 'collector'],
    ['leaves a thread', 'threading.Thread(target=time.sleep, args=(5,), daemon=True).start()', 'thread'],
    ['changes a library', 'os.path.join = lambda *_: ""', 'os.path.join'],
    [
      'slows the root',
      'for f in [f for f in gc.get_objects() if type(f) is type(total) and f.__name__ == "total" and f is not total]: f.__code__ = (lambda n: sum(range(n))).__code__',
      'pkg.add.total',
    ],
  ])('refuses a candidate that %s, in one interpreter', async (_, statements, words) => {
    const { result } = await judge({ add: meddling(statements) });
    expect(result).toMatchObject({ status: 'invalid', kind: 'scope' });
    expect(result?.summary).toContain(words);
  });

  it('is out of reach of such a candidate with a process for each version', async () => {
    const { result } = await judge({ add: meddling('time.process_time_ns = lambda: 0'), options: { isolate: true } });
    expect(result).toMatchObject({ status: 'valid' });
    expect(result?.objectives?.throughput).toBeLessThan(3);
  });

  it.each([
    ['another output', 'def total(n):\n    return n if n > 10000 else n * (n - 1) // 2\n', 'gate'],
    [
      'an end of its process',
      'import os\ndef total(n):\n    if n > 100: os._exit(0)\n    return n * (n - 1) // 2\n',
      'test',
    ],
    ['an exception', 'def total(n):\n    return n * (n - 1) // 2 if n < 100 else nowhere\n', 'test'],
  ])('refuses %s with a process for each version', async (_, add, kind) => {
    const { result } = await judge({ add, options: { isolate: true } });
    expect(result).toMatchObject({ status: 'invalid', kind });
  });

  it('keeps two versions apart that keep state of their own', async () => {
    const counting = `
calls = 0
class Total:
    pass
def total(n):
    global calls
    calls += 1
    from . import add
    assert add.Total is Total, 'the modules of the other version are seen'
    return n * (n - 1) // 2
`;
    const root = { ...ROOT, 'pkg/add.py': counting };
    const { result } = await judge({ root, add: counting.replace('calls += 1', 'calls += 2') });
    expect(result).toMatchObject({ status: 'valid' });
  });
});

describe('what is missing', () => {
  it.each([
    [
      'a module',
      { requires: [{ module: 'no_such_module', install: 'apt-get install it' }] },
      'no_such_module: apt-get install it',
    ],
    ['the interpreter', { python: '/nowhere/python3' }, '/nowhere/python3'],
    ['an option', { package: '' }, '"package"'],
    ['the meaning of an option', { packages: 'pkg' }, '"packages"'],
  ])('is said when it is %s, and nobody is blamed', async (_, options, words) => {
    const { exitCode, result, stderr } = await judge({ options });
    expect({ exitCode, result }).toEqual({ exitCode: 75, result: null });
    expect(stderr).toContain(words);
  });

  it('is the machine’s fault when the root fails', async () => {
    const { exitCode, result, stderr } = await judge({
      root: { ...ROOT, 'pkg/add.py': 'def total(n):\n    nowhere\n' },
      add: FAST,
    });
    expect({ exitCode, result }).toEqual({ exitCode: 75, result: null });
    expect(stderr).toContain('the root fails');
  });
});
