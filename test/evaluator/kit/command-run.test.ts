import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countInstructions } from '../../../src/evaluator/kit/instructions.ts';
import { peakMemory } from '../../../src/evaluator/kit/memory.ts';
import { pairCommands } from '../../../src/evaluator/kit/pair-commands.ts';
import { MachineFault, Refusal } from '../../../src/evaluator/kit/refusal.ts';
import { timeCommand } from '../../../src/evaluator/kit/time.ts';

let cwd = '';
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'clade-kit-'));
});
afterAll(() => rm(cwd, { recursive: true, force: true }));

const MIB = 2 ** 20;
const node = (text: string): string[] => [process.execPath, '-e', text];
/** Spins for so many ms of processor time. */
const spin = (ms: number): string[] => node(`while (process.cpuUsage().user < ${ms} * 1000);`);
/** A program without a runtime of its own that touches so many MiB: dd reads into one buffer. */
const touch = (mib: number): string[] => ['dd', 'if=/dev/zero', 'of=/dev/null', `bs=${mib}M`, 'count=1'];

describe('timeCommand', () => {
  it('gives what the command wrote and how it ended', async () => {
    const run = await timeCommand(['sh', '-c', 'cat; echo no >&2; exit 3'], { cwd, stdin: 'hello' });
    expect(run).toMatchObject({ stdout: 'hello', stderr: 'no\n', exitCode: 3, signal: null, timedOut: false });
    expect(await timeCommand(['sh', '-c', 'kill -SEGV $$'], { cwd })).toMatchObject({
      exitCode: null,
      signal: 'SIGSEGV',
    });
  });

  it('hands on the environment but for the place of the result', async () => {
    process.env.CLADE_RESULT = '/result';
    process.env.CLADE_CACHE = '/cache';
    const run = await timeCommand(['sh', '-c', 'echo "$CLADE_RESULT,$CLADE_CACHE"'], { cwd }).finally(() => {
      delete process.env.CLADE_RESULT;
      delete process.env.CLADE_CACHE;
    });
    expect(run.stdout).toBe(',/cache\n');
  });

  it('counts processor time of the command and of what it waited for, apart from waiting', async () => {
    const busy = await timeCommand(['sh', '-c', '"$@"; true', 'sh', ...spin(150)], { cwd });
    expect(busy.userMs).toBeGreaterThan(120);
    expect(busy.wallMs).toBeGreaterThan((busy.userMs ?? 0) * 0.9);
    const asleep = await timeCommand(['sleep', '0.2'], { cwd });
    expect(asleep.wallMs).toBeGreaterThan(199);
    expect((asleep.userMs ?? 0) + (asleep.systemMs ?? 0)).toBeLessThan(100);
  });

  it('gives the peak memory, or null where the starter hides it', async () => {
    const large = await timeCommand(touch(64), { cwd });
    expect(large.maxRssBytes).toBeGreaterThan(64 * MIB);
    expect(large.maxRssBytes).toBeLessThan(72 * MIB);
    expect((await timeCommand(['true'], { cwd })).maxRssBytes).toBeNull();
  });

  it('ends a command at its deadline with all that it started', async () => {
    const pids = join(cwd, 'pids');
    const run = await timeCommand(['sh', '-c', `sleep 600 & echo $! > ${pids}; sleep 600`], { cwd, timeoutMs: 500 });
    expect(run).toMatchObject({ timedOut: true, exitCode: null, userMs: null });
    await gone(Number(await readFile(pids, 'utf8')));
  });

  it('does not wait for a process that holds its pipes, and leaves none', async () => {
    const run = await timeCommand(['sh', '-c', 'sleep 600 & echo $!'], { cwd });
    expect(run.exitCode).toBe(0);
    await gone(Number(run.stdout));
  });

  it('bounds what it keeps of endless output, and passes SIGPIPE on', async () => {
    const run = await timeCommand(['sh', '-c', 'yes | head -c 50000000; yes | head -n 1 >&2'], { cwd });
    expect(run.exitCode).toBe(0);
    expect(run.stdout.length).toBeLessThan(17 * MIB);
    expect(run.stderr).toBe('y\n');
  });

  it('does not hold a missing program against the candidate', async () => {
    await expect(timeCommand(['./not-there'], { cwd })).rejects.toThrow(MachineFault);
    await expect(timeCommand(['true'], { cwd: join(cwd, 'not-there') })).rejects.toThrow(MachineFault);
  });
});

describe('peakMemory', () => {
  it('sees small programs too, and passes arguments, input and folder on', async () => {
    const [small, large] = [await peakMemory(['true'], { cwd }), await peakMemory(touch(32), { cwd })];
    expect(small).toBeLessThan(3 * MIB);
    expect(large).toBeGreaterThan(32 * MIB);
    expect(large).toBeLessThan(36 * MIB);
    const said = join(cwd, 'said');
    await peakMemory(['sh', '-c', `{ pwd; cat; echo "$1"; } > ${said}`, 'sh', 'a "b" $c'], { cwd, stdin: 'in\n' });
    expect(await readFile(said, 'utf8')).toBe(`${cwd}\nin\na "b" $c\n`);
  });

  it('says nothing of a run that failed', async () => {
    expect(await peakMemory(['false'], { cwd })).toBeNull();
  });
});

describe('countInstructions', () => {
  it('counts the same for the same work, and more for more, in all processes', async () => {
    const loop = 'i=0; while [ $i -lt $1 ]; do i=$((i + 1)); done';
    const count = async (n: number) =>
      (await countInstructions(['sh', '-c', 'sh -c "$1" sh $2; true', 'sh', loop, `${n}`], { cwd })).instructions;
    const [once, again, more] = [await count(10), await count(10), await count(1010)];
    expect(Math.abs(again / once - 1)).toBeLessThan(0.001);
    // A turn takes some hundred instructions.
    expect(more - once).toBeGreaterThan(100_000);
  });

  it('keeps output and exit code of the command', async () => {
    expect(await countInstructions(['sh', '-c', 'echo out; exit 4'], { cwd })).toMatchObject({
      stdout: 'out\n',
      exitCode: 4,
    });
  });

  it('by perf counts, or says that this machine cannot', async () => {
    const counted = await countInstructions(['true'], { cwd, tool: 'perf' }).catch((error: unknown) => error);
    if (counted instanceof Error) expect(counted).toBeInstanceOf(MachineFault);
    else expect(counted).toMatchObject({ tool: 'perf', exitCode: 0 });
  });

  it.each(['callgrind', 'perf'] as const)('says what to install when %s is missing', async (tool) => {
    await expect(countInstructions(['/bin/true'], { cwd, tool, env: { PATH: cwd } })).rejects.toThrow(/install/);
  });
});

describe('pairCommands', () => {
  const side = (argv: string[]) => ({ argv, cwd });
  const plan = { rounds: 4, trim: 1, warmup: 0 };

  it('finds the faster command by the processor’s clock', async () => {
    const comparison = await pairCommands({ ...plan, clock: 'cpu', root: side(spin(200)), candidate: side(spin(50)) });
    expect(comparison.ratio).toBeGreaterThan(1.5);
    expect(comparison.root.userMs).toBeGreaterThan(comparison.candidate.userMs ?? Number.NaN);
    expect(comparison.root.maxRssBytes).toBeGreaterThan(20 * MIB);
  });

  it('refuses a candidate whose command fails or hangs, and blames nobody when the root’s does', async () => {
    const pair = (root: string[], candidate: string[]) =>
      pairCommands({ ...plan, root: side(root), candidate: { ...side(candidate), timeoutMs: 300 } });
    await expect(pair(['true'], ['false'])).rejects.toThrow(Refusal);
    await expect(pair(['true'], ['sleep', '600'])).rejects.toThrow(/not done after 300 ms/);
    await expect(pair(['true'], ['./not-there'])).rejects.toThrow(Refusal);
    await expect(pair(['false'], ['true'])).rejects.toThrow(MachineFault);
    await expect(pair(['false'], ['false'])).rejects.toThrow(MachineFault);
    await expect(pair(['./not-there'], ['./not-there'])).rejects.toThrow(MachineFault);
  });

  it('lets a check look at both outputs of every round', async () => {
    await writeFile(join(cwd, 'text'), 'same');
    const seen: string[] = [];
    await pairCommands({
      ...plan,
      root: side(['cat', 'text']),
      candidate: side(['cat', 'text']),
      check: (root, candidate, round) => void seen.push(`${round} ${root.stdout} ${candidate.stdout}`),
    });
    expect(seen).toEqual(['0 same same', '1 same same', '2 same same', '3 same same']);
  });
});

/** Resolves when the process is gone or a zombie that its reaper has not looked at yet. */
async function gone(pid: number): Promise<void> {
  for (;;) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
    if (stat === null || stat.split(') ')[1]?.startsWith('Z')) return;
  }
}
