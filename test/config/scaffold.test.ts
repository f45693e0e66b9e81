import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  campaignName,
  detectProject,
  formatFinding,
  loadCampaign,
  type Project,
  scaffoldCampaign,
} from '../../src/config/index.ts';
import { temporaryFolder } from './file.ts';

function detect(files: Record<string, string>): Project {
  return detectProject({ paths: Object.keys(files), read: (path) => files[path] });
}

const packageJson = JSON.stringify({ scripts: { build: 'tsc', test: 'vitest' } });

describe('a project is recognised', () => {
  it.each<[files: Record<string, string>, expected: Partial<Project>]>([
    [
      { 'package.json': packageJson, 'package-lock.json': '', 'src/a.ts': '', 'test/a.test.ts': '', Makefile: '' },
      {
        kind: 'node',
        build: 'npm run build',
        test: 'npm run test',
        prepare: ['npm ci'],
        link: ['node_modules'],
        edit: ['src/**/*.ts'],
        protect: ['test/**', 'package.json', 'package-lock.json', '**/*.test.*', '**/*.spec.*'],
      },
    ],
    [
      { 'package.json': '{', 'pnpm-lock.yaml': '', 'index.js': '' },
      { kind: 'node', build: null, test: null, prepare: ['pnpm install --frozen-lockfile'], edit: ['**/*.js'] },
    ],
    [
      { 'package.json': '3', 'yarn.lock': '' },
      { kind: 'node', build: null, edit: ['**'] },
    ],
    [
      { 'Cargo.toml': '', 'Cargo.lock': '', 'package.json': '', 'src/lib.rs': '', 'tests/a.rs': '' },
      { kind: 'cargo', build: 'cargo build --release --locked', edit: ['src/**/*.rs'] },
    ],
    [
      { 'go.mod': '', 'main.go': '' },
      { kind: 'go', test: 'go test ./...', edit: ['**/*.go'] },
    ],
    [
      { 'pyproject.toml': '', 'demo/a.py': '', 'tests/test_a.py': '' },
      { kind: 'python', build: null, test: 'python3 -m pytest -q', edit: ['**/*.py'] },
    ],
    [
      { Makefile: 'CC := cc\nall: x\ntest: all\n\t./x\n', 'lib/a.c': '', 'lib/a.h': '', 'tests/t.c': '' },
      {
        kind: 'make',
        build: 'make',
        test: 'make test',
        edit: ['lib/**/*.c', 'lib/**/*.h'],
        protect: ['tests/**', 'Makefile'],
      },
    ],
    [
      { makefile: 'test := 1\n', 'a.c': '' },
      { kind: 'make', test: null, edit: ['**/*.c'] },
    ],
    [
      { 'README.md': '', 'sub/package.json': '' },
      { kind: 'other', build: null, test: null, edit: ['**'] },
    ],
    [{}, { kind: 'other' }],
  ])('%j', (files, expected) => {
    expect(detect(files)).toMatchObject(expected);
  });
});

it.each([
  ['https://example.org/Facebook/My_Lib.git', 'my-lib'],
  ['git@example.org:zstd', 'zstd'],
  ['/srv/repositories/Ünïcode lib/', 'n-code-lib'],
  ['..', 'campaign'],
  [`/x/${'a'.repeat(62)}--b`, 'a'.repeat(62)],
])('the campaign of %s is named %s', (repository, name) => {
  expect(campaignName(repository)).toBe(name);
});

const PROJECTS: Project[] = [
  detect({}),
  detect({ 'package.json': packageJson, 'src/a.ts': '' }),
  detect({ Makefile: 'check:\n', 'a.c': '' }),
];

describe('a new campaign', () => {
  it.each(PROJECTS.map((project) => [project.kind, project] as const))(
    'of kind %s loads as it is',
    async (_, project) => {
      for (const name of ['demo', '007', 'null']) {
        await using folder = await temporaryFolder(
          scaffoldCampaign({ name, repository: './a "b": #c', schema: '../../campaign.schema.json', project }),
        );
        await mkdir(join(folder.path, 'a "b": #c'));
        const { campaign, errors, warnings } = await loadCampaign(folder.path);
        expect([...errors, ...warnings].map((finding) => formatFinding(finding))).toEqual([]);
        expect(campaign?.name).toBe(name);
        expect(campaign?.target.edit).toEqual(project.edit);
        const text = await readFile(join(folder.path, 'campaign.yaml'), 'utf8');
        expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../../campaign.schema.json');
      }
    },
  );
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly result: unknown;
}

/** Runs the scaffolded evaluate.sh with these commands filled in, in an empty checkout. */
async function evaluate(commands: Record<string, string>, contract = true): Promise<Outcome> {
  const [, script] = scaffoldCampaign({ name: 'demo', repository: '.', schema: 's', project: detect({}) });
  let text = script?.text ?? '';
  for (const [name, command] of Object.entries(commands)) {
    const filled = text.replace(`\n${name}=''`, () => `\n${name}='${command.replaceAll("'", "'\\''")}'`);
    expect(filled).not.toBe(text);
    text = filled;
  }
  await using folder = await temporaryFolder([
    { path: 'bundle/evaluate.sh', text, executable: true },
    { path: 'bundle/data', text: '4.5' },
    { path: 'checkout/x', text: 'x' },
    { path: 'tmp/keep', text: '' },
  ]);
  const env = {
    PATH: process.env.PATH,
    TMPDIR: join(folder.path, 'tmp'),
    ...(contract ? { CLADE_RESULT: join(folder.path, 'result.json') } : {}),
  };
  const end = await new Promise<Omit<Outcome, 'result'>>((done) => {
    execFile(
      join(folder.path, 'bundle/evaluate.sh'),
      { cwd: join(folder.path, 'checkout'), env },
      (error, stdout, stderr) => done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
  expect(await readdir(join(folder.path, 'tmp'))).toEqual(['keep']);
  const json = contract ? await readFile(join(folder.path, 'result.json'), 'utf8').catch(() => 'null') : end.stdout;
  return { ...end, result: end.code === 0 ? JSON.parse(json) : json };
}

describe('evaluate.sh', () => {
  it('blames nobody while it is not filled in', async () => {
    const { code, stdout, stderr, result } = await evaluate({});
    expect({ code, stdout, result }).toEqual({ code: 75, stdout: '', result: 'null' });
    expect(stderr).toContain('evaluate.sh is not filled in');
  });

  it('reports the median of its rounds, with their range', async () => {
    const benchmark = 'echo noise; echo . >>rounds; wc -l <rounds';
    expect((await evaluate({ BENCHMARK: benchmark })).result).toEqual({
      status: 'valid',
      objectives: { score: 3 },
      intervals: { score: [1, 5] },
      summary: 'score 3, the median of 5 runs',
    });
  });

  it('builds and tests first, reads data beside itself and falls back to standard output', async () => {
    const commands = { BUILD: 'cp "$HERE/data" built', TEST: "test -s 'built'", BENCHMARK: 'cat built; echo' };
    const { result } = await evaluate(commands, false);
    expect(result).toMatchObject({ status: 'valid', objectives: { score: 4.5 } });
  });

  it.each<[commands: Record<string, string>, kind: string, evidence: string]>([
    [{ BUILD: 'echo "a \\"quoted\\" \\\\ error"; exit 2', BENCHMARK: 'echo 1' }, 'build', 'a "quoted" \\ error'],
    [{ TEST: 'echo one; printf "\\ttwo \\001\\303" >&2; exit 75', BENCHMARK: 'echo 1' }, 'test', 'one\n two'],
    [{ BENCHMARK: 'echo oops >&2; false' }, 'benchmark', 'oops'],
    [{ BENCHMARK: 'echo fast' }, 'benchmark', 'fast'],
    [{ BENCHMARK: 'echo 007' }, 'benchmark', '007'],
    [{ BENCHMARK: 'echo nan' }, 'benchmark', 'nan'],
    [{ BENCHMARK: 'true' }, 'benchmark', ''],
  ])('rejects %j', async (commands, kind, evidence) => {
    const { result } = await evaluate(commands);
    expect(result).toMatchObject({ status: 'invalid', kind, evidence: expect.stringContaining(evidence) });
  });

  it('takes every number that JSON takes, and orders them as numbers', async () => {
    const numbers = ['1e-3', '-2.5', '10', '9', '1e2'];
    const benchmark = `echo . >>n; printf "${numbers.join('\\n')}\\n" | sed -n "$(wc -l <n)p"`;
    expect((await evaluate({ BENCHMARK: benchmark })).result).toMatchObject({
      objectives: { score: 9 },
      intervals: { score: [-2.5, 100] },
    });
  });
});
