import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../campaigns/run.ts';
import { type ReadyRun, runReady } from './run-ready.ts';

/** A project with a Makefile: a program that adds up its input, `turns` times, and a test. */
const program = (turns: number, answer = 'sum'): string => `
#include <stdio.h>
int main(int argc, char **argv) {
  unsigned sum = 0;
  FILE *in = argc > 1 ? fopen(argv[1], "rb") : stdin;
  if (in == NULL) return 1;
  for (int c; (c = getc(in)) != EOF;) {
    sum = sum * 31 + c;
    for (volatile int i = 0; i < ${turns}; i += 1) {}
  }
  printf("%u\\n", ${answer});
  return 0;
}
`;
const MAKEFILE = 'add: add.c\n\tcc -O1 -o add add.c\ncheck: add\n\ttest "$$(printf ab | ./add)" = 3105\n';

const OPTIONS = {
  build: ['make', 'add'],
  test: ['make', 'check'],
  files: ['add'],
  clock: 'cpu',
  rounds: 4,
  trim: 1,
  minimumMs: 0,
  workloads: {
    adding: {
      before: ['sh', '-c', 'head -c 200000 /dev/zero > "$OUT/input"'],
      command: ['sh', '-c', 'exec ./add "$OUT/input"'],
    },
  },
};

async function judge(candidate: string, options: object = OPTIONS, root = program(60)): Promise<ReadyRun> {
  await using folder = await temporaryFolder();
  const [rootDir, checkout] = [join(folder.path, 'root'), join(folder.path, 'checkout')];
  for (const [path, text] of [
    [rootDir, root],
    [checkout, candidate],
  ] as const) {
    await mkdir(path);
    await writeFile(join(path, 'add.c'), text);
    await writeFile(join(path, 'Makefile'), MAKEFILE);
  }
  return await runReady({ name: 'make-project', options, checkout, root: rootDir, scratch: folder.path });
}

const withWorkload = (workload: object): object => ({
  ...OPTIONS,
  workloads: { adding: { ...OPTIONS.workloads.adding, ...workload } },
});

describe('clade-make-project', () => {
  it('takes what builds to the same bytes for the root', async () => {
    const { exitCode, result } = await judge(`// Nothing new.\n${program(60)}`);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({
      status: 'valid',
      objectives: { adding: 1 },
      identity: expect.stringMatching(/^sha256:/),
      metrics: { adding_rounds: 4, adding_root_ms: expect.any(Number) },
    });
  });

  it('sees a program that does far less work, with its interval', async () => {
    const { result } = await judge(program(1));
    const [lower = 0, upper = 0] = result?.intervals?.adding ?? [];
    const { adding = 0 } = result?.objectives ?? {};
    expect(adding).toBeGreaterThan(1.5);
    expect(lower).toBeLessThanOrEqual(adding);
    expect(upper).toBeGreaterThanOrEqual(adding);
  });

  it.each<[string, string, string, object?]>([
    ['what does not build', 'build', 'int main(void) { return'],
    ['a failing test', 'test', program(1, 'sum ^ (sum == 3105)')],
    ['other output', 'gate', program(1, 'sum == 3105 ? sum : 7')],
    ['a failing program', 'benchmark', program(1).replace('return 0', 'return sum != 3105')],
    [
      'another file that it writes',
      'gate',
      program(2),
      withWorkload({
        command: ['sh', '-c', './add "$OUT/input" && cksum < add > "$OUT/written"'],
        check: ['sh', '-c', 'cat "$OUT/written"'],
      }),
    ],
  ])('refuses %s', async (_, kind, candidate, options = OPTIONS) => {
    const { exitCode, result } = await judge(candidate, options);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'invalid', kind });
  });

  it.each<[string, object, string?]>([
    ['no workload', { ...OPTIONS, workloads: {} }],
    ['an unknown option', { ...OPTIONS, speed: 1 }],
    ['an unknown part of a workload', withWorkload({ after: ['true'] })],
    ['an input that cannot be made', withWorkload({ before: ['false'] })],
    ['a check that fails for the root', withWorkload({ check: ['false'] })],
    ['a workload that is too short', { ...OPTIONS, minimumMs: 1e6 }],
    ['a root that does not build', OPTIONS, 'int main(void) { return'],
  ])('holds nothing against the candidate for %s', async (_, options, root) => {
    expect(await judge(program(1), options, root)).toMatchObject({ exitCode: 75, result: null });
  });

  it('builds the root alone when it prepares', async () => {
    await using folder = await temporaryFolder();
    const root = join(folder.path, 'root');
    await mkdir(root);
    await writeFile(join(root, 'add.c'), program(1));
    await writeFile(join(root, 'Makefile'), MAKEFILE);
    const run = { name: 'make-project', options: OPTIONS, checkout: root, root, scratch: folder.path, mode: 'prepare' };
    expect(await runReady(run)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await readdir(root)).toContain('add');
    const { result } = await runReady({ ...run, mode: 'build' });
    expect(result).toMatchObject({ status: 'valid', objectives: {}, identity: expect.stringMatching(/^sha256:/) });
  });

  it('reads processor time though the first Python on PATH does not work', async () => {
    await using folder = await temporaryFolder();
    const [root, checkout] = [join(folder.path, 'root'), join(folder.path, 'checkout')];
    for (const path of [root, checkout]) {
      await mkdir(path);
      await writeFile(join(path, 'add.c'), program(1));
      await writeFile(join(path, 'Makefile'), MAKEFILE);
    }
    await writeFile(join(folder.path, 'python3'), '#!/bin/sh\necho "no such version" >&2\nexit 127\n', { mode: 0o755 });
    const env = { PATH: `${folder.path}:${process.env.PATH}` };
    const run = { name: 'make-project', options: OPTIONS, checkout, root, scratch: folder.path, env };
    expect(await runReady(run)).toMatchObject({ exitCode: 0, result: { status: 'valid' } });
  });
});
