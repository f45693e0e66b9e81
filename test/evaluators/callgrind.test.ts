import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../campaigns/run.ts';
import { type ReadyRun, runReady } from './run-ready.ts';

/** A program in C that adds up the bytes of its input and does so much for each. */
const program = (turns: number, offset = 0): string => `
#include <stdio.h>
int main(void) {
  volatile unsigned sum = ${offset};
  for (int c; (c = getchar()) != EOF;) for (int i = 0; i < ${turns}; i += 1) sum += c / ${turns};
  printf("%u\\n", sum - ${offset});
  FILE *out = fopen("result", "w");
  fprintf(out, "%u\\n", sum);
  return fclose(out);
}
`;

const OPTIONS = {
  build: ['make', 'CC=cc -O1', 'add'],
  files: ['add'],
  workloads: {
    adding: {
      before: ['sh', '-c', 'head -c 20000 /dev/zero > "$OUT/input"'],
      command: ['sh', '-c', './add < "$OUT/input"'],
      check: ['cat', 'result'],
    },
  },
};

async function judge(candidate: string, options: object = OPTIONS, root = program(8)): Promise<ReadyRun> {
  await using folder = await temporaryFolder();
  const [rootDir, checkout] = [join(folder.path, 'root'), join(folder.path, 'checkout')];
  for (const [path, text] of [
    [rootDir, root],
    [checkout, candidate],
  ] as const) {
    await mkdir(path);
    await writeFile(join(path, 'add.c'), text);
  }
  return await runReady({ name: 'callgrind', options, checkout, root: rootDir, scratch: folder.path });
}

describe('clade-callgrind', () => {
  it('counts the root against itself as equal, to a thousandth', async () => {
    const { exitCode, result } = await judge(program(8));
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'valid', identity: expect.stringMatching(/^sha256:/) });
    expect(Math.abs((result?.objectives?.adding ?? 0) - 1)).toBeLessThan(0.001);
  });

  it('finds fewer instructions, and gives both counts', async () => {
    const { result } = await judge(program(2));
    const { adding_root_instructions: root = 0, adding_instructions: candidate = 0 } = result?.metrics ?? {};
    // Six turns fewer for each of 20,000 bytes, of at least three instructions.
    expect(root - candidate).toBeGreaterThan(20_000 * 6 * 3);
    expect(result?.objectives?.adding).toBeCloseTo(root / candidate, 12);
    expect(result?.summary).toMatch(/fewer instructions$/);
  });

  it.each<[string, string, string, object?]>([
    ['a program that does not build', 'build', 'int main(void) { return'],
    ['a program that fails', 'benchmark', program(8).replace('return fclose(out)', 'return 3')],
    ['other output', 'gate', program(8).replace('- 0', '- 1')],
    ['another file that it writes', 'gate', program(8, 1)],
    ['a failing test', 'test', program(8), { ...OPTIONS, test: ['sh', '-c', 'exit 1'] }],
  ])('refuses %s', async (_, kind, candidate, options = OPTIONS) => {
    const { exitCode, result } = await judge(candidate, options);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'invalid', kind });
  });

  it.each<[string, object, string?]>([
    ['no workload', { workloads: {} }],
    ['an unknown option', { ...OPTIONS, speed: 1 }],
    ['a workload without a command', { workloads: { x: { check: ['true'] } } }],
    ['an input that cannot be made', { workloads: { x: { before: ['false'], command: ['true'] } } }],
    ['a root that does not build', OPTIONS, 'int main(void) { return'],
  ])('holds nothing against the candidate for %s', async (_, options, root) => {
    expect(await judge(program(8), options, root)).toMatchObject({ exitCode: 75, result: null });
  });
});
