import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../campaigns/run.ts';
import { type ReadyRun, runReady } from './run-ready.ts';

/** The real protocol on a library of a page that has the same functions: driver, processes, gates and rounds are the real ones. */
const CODEC = await readFile(join(import.meta.dirname, '../fixtures/codec/codec.c'), 'utf8');
const OPTIONS = {
  sources: ['*.c'],
  flags: ['-O1'],
  levels: [1],
  gateLevels: [3],
  mebibytes: 0.125,
  rounds: 3,
  maxRounds: 3,
  trim: 0,
  minimumMs: 0,
};

async function judge(
  candidate: string,
  env: Record<string, string> = {},
  options: object = OPTIONS,
): Promise<ReadyRun> {
  await using folder = await temporaryFolder();
  const [root, checkout] = [join(folder.path, 'root'), join(folder.path, 'checkout')];
  for (const [path, text] of [
    [root, CODEC],
    [checkout, candidate],
  ] as const) {
    await mkdir(path);
    await writeFile(join(path, 'codec.c'), text);
  }
  await writeFile(join(folder.path, 'holdout.seed'), 'a secret of some length');
  const hidden = env.CLADE_SPLIT === 'holdout' ? { CLADE_HIDDEN: join(folder.path, 'holdout.seed') } : {};
  return await runReady({ name: 'zstd', options, checkout, root, scratch: folder.path, env: { ...hidden, ...env } });
}

/** The codec with one place changed. */
function changed(from: string, to: string): string {
  const text = CODEC.replace(from, to);
  if (text === CODEC) throw new Error(`the codec has no ${from}`);
  return text;
}

const IN_COMPRESS = '(void)context, (void)level;';
const IN_DECOMPRESS = 'memcpy(to, (const char *)from + HEAD, head[0]);';

describe('clade-zstd', () => {
  it('takes a change of comments alone for the root, and measures it all the same', async () => {
    const { exitCode, result, stderr } = await judge(`// Nothing new.\n\n${CODEC}`);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({
      status: 'valid',
      objectives: { compression: 1, decompression: 1, worst_cell: 1 },
      identity: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      metrics: { compression_rounds: 3, size_ratio: 1, worst_size_ratio: 1 },
    });
    // Five kinds, one level, two directions.
    expect(Object.keys(result?.metrics ?? {}).filter((name) => /^(de)?compression_1_/.test(name))).toHaveLength(10);
  });

  it('sees a library that does an eighth of the work', async () => {
    const { result } = await judge(changed('#define EFFORT 8', '#define EFFORT 1'));
    expect(result).toMatchObject({ status: 'valid' });
    // By processor time, and by far: a third of the true difference would do.
    for (const name of ['compression', 'decompression']) expect(result?.objectives?.[name]).toBeGreaterThan(2);
    expect(result?.metrics?.worst_cell).toBeGreaterThan(1.5);
  });

  it.each<[string, string, RegExp, string]>([
    ['what does not compile', 'build', /does not build/, changed('size_t ZSTD_comp', 'size_t x ZSTD_comp')],
    [
      'a lossy compressor',
      'gate',
      /the root decompresses to \d+ bytes/,
      changed('unsigned head[2] = {', 'if (size > 300) size -= 1;\n    unsigned head[2] = {'),
    ],
    [
      'a decompressor of other bytes',
      'gate',
      /candidate decompresses to other bytes/,
      changed(IN_DECOMPRESS, `${IN_DECOMPRESS} if (head[0] > 300) ((char *)to)[200] ^= 1;`),
    ],
    [
      'a decompressor that looks away',
      'gate',
      /damaged frame \d+ decompresses without an error/,
      changed('return (size_t)-3;', '{}'),
    ],
    [
      'a compressor that gives up',
      'gate',
      /gives an error/,
      changed(IN_COMPRESS, 'if (size == 131073) return (size_t)-1;'),
    ],
    ['a crash', 'gate', /died of SIGSEGV/, changed(IN_COMPRESS, 'if (size == 7) *(volatile char *)0 = 1;')],
    ['writing behind the end', 'gate', /overrun/, changed(IN_DECOMPRESS, `${IN_DECOMPRESS} ((char *)to)[room] = 1;`)],
    [
      'larger frames',
      'gate',
      /grow by more than 0.1 %/,
      changed(IN_COMPRESS, '(void)context, (void)level; size_t more = size > 3000 ? size / 400 : 0;').replace(
        'return size + HEAD;\n}\n\nsize_t ZSTD_dec',
        'memset((char *)to + HEAD + size, 1, more); return size + HEAD + more;\n}\n\nsize_t ZSTD_dec',
      ),
    ],
    [
      'hunger for memory',
      'gate',
      /KiB of memory/,
      changed(IN_COMPRESS, 'char *volatile hog = malloc(8 << 20); memset(hog, level, 8 << 20); free(hog);'),
    ],
    [
      'a function that the root does without',
      'scope',
      /getenv/,
      changed(IN_COMPRESS, 'if (getenv("CLADE_SPLIT")) level = 1;'),
    ],
    [
      'work when it is loaded',
      'scope',
      /loaded/,
      `${CODEC}\nstatic volatile int early;\n__attribute__((constructor)) static void start(void) { early = 1; }\n`,
    ],
  ])('refuses %s', async (_, kind, summary, candidate) => {
    const { exitCode, result, stderr } = await judge(candidate);
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'invalid', kind });
    expect(result?.summary).toMatch(summary);
  });

  it.runIf(process.arch === 'x64')('refuses instructions that call the kernel', async () => {
    const call = 'long r; __asm__ volatile("syscall" : "=a"(r) : "0"(39) : "rcx", "r11", "memory");';
    const { result } = await judge(changed(IN_COMPRESS, call));
    expect(result).toMatchObject({ status: 'invalid', kind: 'scope' });
  });

  it('measures a hidden split by its secret, and not without it', async () => {
    const { result } = await judge(CODEC, { CLADE_SPLIT: 'holdout' });
    expect(result).toMatchObject({ status: 'valid' });
    const blind = await judge(CODEC, { CLADE_SPLIT: 'validation' });
    expect(blind).toMatchObject({ exitCode: 75, result: null });
    expect(blind.stderr).toContain('validation.seed');
  });

  it('builds the root once, when it prepares', async () => {
    await using folder = await temporaryFolder();
    const [root, checkout] = [join(folder.path, 'root'), join(folder.path, 'checkout')];
    for (const path of [root, checkout]) {
      await mkdir(path);
      await writeFile(join(path, 'codec.c'), CODEC);
    }
    const run = { name: 'zstd', options: OPTIONS, checkout, root, scratch: folder.path };
    expect(await runReady({ ...run, mode: 'prepare' })).toMatchObject({ exitCode: 0, stderr: '' });
    const { result: built } = await runReady({ ...run, mode: 'build' });
    // What is in the cache is all that the evaluation needs of the root.
    await rm(join(root, 'codec.c'));
    const { result } = await runReady(run);
    expect(result).toMatchObject({ status: 'valid', objectives: { compression: 1 } });
    expect(built).toMatchObject({ status: 'valid', objectives: {}, identity: result?.identity });
  });

  it.each([
    ['an unknown option', { ...OPTIONS, speed: 1 }],
    ['sources that are not there', { ...OPTIONS, sources: ['lib/*.c'] }],
  ])('holds nothing against the candidate for %s', async (_, options) => {
    expect(await judge(CODEC, {}, options)).toMatchObject({ exitCode: 75, result: null });
  });
});
