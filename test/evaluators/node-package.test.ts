import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../campaigns/run.ts';
import { type ReadyRun, runReady } from './run-ready.ts';

/** A package that squares numbers slowly, in two modules. */
const PACKAGE = {
  'package.json': '{"type": "module"}',
  'src/index.js': "import { square } from './square.js';\nexport const squares = (list) => list.map(square);\n",
  'src/square.js':
    'export function square(n) {\n  let sum = 0;\n  for (let i = 0; i < n; i += 1) sum += n;\n  return sum;\n}\n',
  'test.js':
    "import { squares } from './src/index.js';\nimport assert from 'node:assert';\nassert.deepEqual(squares([3]), [9]);\n",
};

const BENCHMARK = `
export const setup = ({ squares }) => squares;
export const input = (_, { seed, phase }) => Array.from({ length: phase === 'timed' ? 400 : 100 }, (_, i) => 20_000 + ((seed + i) % 100));
export const run = (squares, list) => squares(list);
export const cases = () => [
  { name: 'four', input: [4], expected: '16' },
  { name: 'minus two', input: [-2] },
];
export const answer = (squares, list) => String(squares(list));
`;

const OPTIONS = {
  entry: 'src/index.js',
  benchmark: 'benchmark.mjs',
  files: ['src/**'],
  test: [process.execPath, 'test.js'],
  rounds: 6,
  maxRounds: 6,
  trim: 1,
  replySeconds: 3,
};

interface Case {
  readonly candidate?: Readonly<Record<string, string>>;
  readonly root?: Readonly<Record<string, string>>;
  readonly options?: object;
  readonly benchmark?: string;
}

async function write(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

async function judge(given: Case): Promise<ReadyRun> {
  await using folder = await temporaryFolder();
  const [root, checkout, campaign] = ['root', 'checkout', 'campaign'].map((name) => join(folder.path, name));
  if (root === undefined || checkout === undefined || campaign === undefined) throw new Error('no folders');
  await write(root, { ...PACKAGE, ...given.root });
  await write(checkout, { ...PACKAGE, ...given.root, ...given.candidate });
  await write(campaign, { 'benchmark.mjs': given.benchmark ?? BENCHMARK });
  const options = { ...OPTIONS, ...given.options };
  const env = { CLADE_CAMPAIGN_DIR: campaign };
  return await runReady({ name: 'node-package', options, checkout, root, scratch: folder.path, env });
}

const FAST = 'export const square = (n) => n * Math.max(n, 0);\n';

describe('clade-node-package', () => {
  it('finds a faster version, and gives it another identity', async () => {
    const { exitCode, result } = await judge({ candidate: { 'src/square.js': FAST } });
    expect(exitCode).toBe(0);
    expect(result?.summary).toMatch(/^throughput \+/);
    expect(result?.intervals?.throughput?.[0]).toBeGreaterThan(1);
    const root = await judge({});
    expect(root.result).toMatchObject({ status: 'valid', objectives: { throughput: 1 } });
    expect(root.result?.identity).not.toBe(result?.identity);
  });

  it('takes a change outside the built files for the root', async () => {
    const { result } = await judge({ candidate: { 'notes.md': 'none' } });
    expect(result).toMatchObject({ status: 'valid', objectives: { throughput: 1 } });
  });

  it('builds both versions', async () => {
    const build = ['sh', '-c', 'mkdir -p dist && cp src/* dist && ! grep -rq BROKEN src'];
    const options = { build, entry: 'dist/index.js', files: ['dist/**'] };
    expect((await judge({ options })).result?.status).toBe('valid');
    const broken = await judge({ options, candidate: { 'src/square.js': `${FAST}// BROKEN\n` } });
    expect(broken.result).toMatchObject({ status: 'invalid', kind: 'build' });
    expect((await judge({ options, root: { 'src/square.js': '// BROKEN\n' } })).exitCode).toBe(75);
  });

  it('times work that is asynchronous to its end', async () => {
    const benchmark = `${BENCHMARK.replace('export const run =', 'const plain =')}
      export const run = async (squares, list) => { await null; return plain(squares, list); };`;
    const { result } = await judge({ benchmark, candidate: { 'src/square.js': FAST } });
    expect(result?.objectives?.throughput).toBeGreaterThan(2);
  });

  it.each<[string, string, Record<string, string>]>([
    ['a failing test', 'test', { 'test.js': 'process.exit(1);\n' }],
    [
      'a wrong answer',
      'test',
      { 'src/square.js': 'export const square = (n) => (n === 4 ? 15 : n * Math.max(n, 0));\n' },
    ],
    ['an answer that is not the root’s', 'gate', { 'src/square.js': 'export const square = (n) => n * n;\n' }],
    [
      'other output in the timed work alone',
      'gate',
      { 'src/square.js': 'export const square = (n) => (n > 10 ? 1 : n * Math.max(n, 0));\n' },
    ],
    ['code that cannot be loaded', 'build', { 'src/square.js': 'export const square = (\n', 'test.js': '' }],
    ['a foreign import', 'scope', { 'src/square.js': `import 'node:fs';\n${FAST}` }],
    ['a way to the process', 'scope', { 'src/more.js': `globalThis.x = 1;\n` }],
    [
      'an endless loop',
      'benchmark',
      { 'src/square.js': 'export const square = (n) => { for (; n > 10; ); return n * Math.max(n, 0); };\n' },
    ],
    [
      'code made of text',
      'test',
      {
        'src/square.js':
          'export const square = (n) => n > 10 ? [].constructor.constructor("return 1")() : n * Math.max(n, 0);\n',
      },
    ],
  ])('refuses %s', async (_, kind, candidate) => {
    const { exitCode, result } = await judge({ candidate });
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'invalid', kind });
  });

  it('lets a package split its code into new modules', async () => {
    const files = {
      'src/square.js': "export { fast as square } from './more.js';\n",
      'src/more.js': FAST.replace('square', 'fast'),
    };
    expect((await judge({ candidate: files })).result?.status).toBe('valid');
  });

  it.each<[string, Case]>([
    ['an unknown option', { options: { speed: 1 } }],
    ['an option of another type', { options: { rounds: 'many' } }],
    ['a benchmark without run', { benchmark: 'export const input = 1;' }],
    ['a root that fails', { root: { 'src/square.js': 'throw new Error("no");\n' }, options: { test: null } }],
  ])('holds nothing against the candidate for %s', async (_, given) => {
    expect(await judge(given)).toMatchObject({ exitCode: 75, result: null });
  });
});
