import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const COMMAND = resolve(import.meta.dirname, '../../../src/evaluator/kit/command.ts');
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'clade-paired-'));
  for (const [name, turns] of Object.entries({ root: 100_000, candidate: 10_000 })) {
    await mkdir(join(folder, name));
    const loop = `i=0; while [ $i -lt ${turns} ]; do i=$((i + 1)); done\n[ "$1" != fail ]`;
    await writeFile(join(folder, name, 'work.sh'), loop);
  }
  await writeFile(join(folder, 'candidate', 'only'), '');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function paired(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { PATH: process.env.PATH, CLADE_ROOT_DIR: join(folder, 'root') };
  return new Promise((done) => {
    execFile(process.execPath, [COMMAND, ...argv], { env, cwd: join(folder, 'candidate') }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const FEW = ['--rounds', '4', '--trim', '1', '--clock', 'cpu'];

describe('clade-paired', () => {
  it('measures a command in both folders and prints the comparison as JSON', async () => {
    const { code, stdout } = await paired(...FEW, '--json', '--', 'sh', 'work.sh');
    expect(code).toBe(0);
    const comparison = JSON.parse(stdout);
    expect(comparison).toMatchObject({ rounds: 4, clock: 'cpu' });
    expect(comparison.ratio).toBeGreaterThan(2);
    expect(comparison.lower).toBeLessThanOrEqual(comparison.ratio);
    expect(comparison.logRatios).toHaveLength(4);
  });

  it('prints a line for people, and help', async () => {
    expect((await paired(...FEW, '--', 'sh', 'work.sh')).stdout).toMatch(/^ratio \d+\.\d{4}, 95 % interval /);
    expect((await paired('--help')).stdout).toContain('clade-paired --root-dir');
  });

  it('tells the candidate’s failures from those of the root', async () => {
    expect((await paired(...FEW, '--', 'sh', '-c', 'test ! -e only')).code).toBe(1);
    expect((await paired(...FEW, '--', 'test', '-e', 'only')).code).toBe(75);
    expect((await paired(...FEW, '--', 'sh', 'work.sh', 'fail')).code).toBe(75);
  });

  it.each([
    [['--']],
    [['--rounds', '7', '--', 'true']],
    [['--speed', '--', 'true']],
    [['--clock', 'sun', '--', 'true']],
  ])('refuses %j as usage', async (argv) => expect((await paired(...argv)).code).toBe(2));
});
