/** The built package: it starts, finds what it ships with, and tells an old Node so in one line. */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdtemp, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { campaignIn, temporary } from '../pipeline/fixture.ts';

const REPOSITORY = resolve(import.meta.dirname, '../..');
let installed: string;

beforeAll(async () => {
  installed = await realpath(await mkdtemp(join(tmpdir(), 'clade-built-')));
  const compiler = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(
    process.execPath,
    [compiler, '-p', join(REPOSITORY, 'tsconfig.build.json'), '--outDir', join(installed, 'dist')],
    { cwd: REPOSITORY },
  );
  await copyFile(join(REPOSITORY, 'package.json'), join(installed, 'package.json'));
  for (const folder of ['schema', 'evaluators'])
    await cp(join(REPOSITORY, folder), join(installed, folder), { recursive: true });
  await symlink(join(REPOSITORY, 'node_modules'), join(installed, 'node_modules'));
});

afterAll(() => rm(installed, { recursive: true, force: true }));

const clade = (node: string, ...argv: string[]) =>
  promisify(execFile)(node, [join(installed, 'dist/cli/clade.js'), ...argv]).catch((error) => error);

test('it starts, and a reader that leaves early is no failure', async () => {
  expect((await clade(process.execPath, '--help')).stdout).toContain('clade run campaigns/zstd');
  const program = join(installed, 'dist/cli/clade.js');
  const piped = await promisify(execFile)('sh', ['-c', '"$0" "$1" help | true', process.execPath, program]);
  expect(piped.stderr).toBe('');
});

test('it finds its schema, its grammars and its threads', async () => {
  const workspace = await temporary();
  const campaign = await campaignIn(workspace, { jobs: 2, coder: 'mutate' });
  const made = await clade(process.execPath, 'init', join(campaign.directory, 'target'), '-n', 'made', '-w', workspace);
  expect(made.stdout).toContain('campaigns/made');
  const text = await readFile(join(workspace, 'campaigns/made/campaign.yaml'), 'utf8');
  const schema = /\$schema=(\S+)/.exec(text);
  expect(existsSync(join(workspace, 'campaigns/made', schema?.[1] ?? 'none'))).toBe(true);
  const ran = await clade(process.execPath, 'run', campaign.directory, '-w', workspace);
  expect(ran.stdout).toContain('finished: budget.jobs: all 2 jobs are done');
  expect(existsSync(join(installed, 'dist/daemon/fit/fit-worker.js'))).toBe(true);
});

const old = oldNode();
test.skipIf(old === null)(
  `an old Node is told so in one line (${old ?? 'no Node before 22 on this machine'})`,
  async () => {
    const told = await clade(old ?? '', 'status');
    expect(told).toMatchObject({ code: 2, stdout: '' });
    expect(told.stderr).toMatch(/^clade needs Node 22\.18 or newer; this is \d+\.\d+\.\d+\n$/);
  },
);

/** A Node before 22 that the system has, if it has one. */
function oldNode(): string | null {
  for (const path of ['/usr/bin/node', '/usr/local/bin/node']) {
    if (!existsSync(path)) continue;
    const major = Number(execFileSync(path, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' }));
    if (major >= 18 && major < 22) return path;
  }
  return null;
}
