import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  type Isolation,
  type Limits,
  NO_LIMITS,
  probeIsolation,
  type RunRequest,
  run,
} from '../../src/process/index.ts';
import { describeIf } from '../support/requirements.ts';
import { sandbox, scratchFolder, shell, watchForLeaks } from './fixture.ts';

watchForLeaks();
const machine = await probeIsolation();
const scratch = await scratchFolder();
const MIB = 2 ** 20;
const MEMFD_CREATE = { x64: 319, arm64: 279 }[process.arch as string];

describe('with the sandbox off', () => void keeps({ ...machine, level: 0 }, 'off'));
await describeIf(
  'unshare',
  'in a pid namespace',
  () => void keeps({ ...machine, level: 1, bubblewrap: null }, 'prefer'),
);
await describeIf('bubblewrap', 'in bubblewrap', () => {
  const start = keeps({ ...machine, level: 2, cgroup: null }, 'required');

  test.each([
    ['many small files', `perl -e 'for (1..20000) { open F, ">", $_; print F 1; close F } sleep 60'`],
    [
      'empty files in many folders',
      `perl -e 'for $d (1..30) { mkdir $d; for (1..1000) { open F, ">", "$d/$_" } } sleep 60'`,
    ],
    ['deleted files that are held open', 'exec 3> held; rm held; head -c 200000000 /dev/zero >&3; sleep 60'],
    [
      'a name that is no UTF-8',
      'mkdir "$(printf "a\\377")"; head -c 200000000 /dev/zero > "$(printf "a\\377/b")"; sleep 60',
    ],
    [
      'paths too long to be asked for',
      `perl -e '$d = "d" x 200; for (1..25) { mkdir $d; chdir $d } open F, ">", "f"; print F "x" x 1e6 for 1..200; close F; sleep 60'`,
    ],
  ])('disk: %s', async (_, line) => {
    const { end, notes } = await start(line, { diskBytes: 64 * MIB });
    expect(end).toMatchObject({ kind: 'limit', limit: 'disk', message: expect.stringContaining('64 MiB') });
    expect(notes).toEqual([]);
  });

  test('memory: what lies in the private /tmp counts', async () => {
    const result = await start('head -c 200000000 /dev/zero > /tmp/x; sleep 60', { memoryBytes: 100 * MIB });
    expect(result.end).toMatchObject({ kind: 'limit', limit: 'memory' });
  });
});

let folders = 0;

/** What holds for every level. */
function keeps(isolation: Isolation, mode: 'off' | 'prefer' | 'required') {
  const start = async (line: string, limits: Partial<Limits>, more: Partial<RunRequest> = {}) => {
    const folder = join(scratch, `${++folders}`);
    await mkdir(folder);
    const spec = sandbox({ mode, writable: [folder], limits: { ...NO_LIMITS, ...limits } });
    return run(shell(line, { cwd: folder, sandbox: spec, ...more }), isolation);
  };

  test('memory: the sum over the whole tree is what counts', async () => {
    const each = '(head -c 60000000 /dev/zero; sleep 60) | tail';
    const result = await start(`for i in 1 2 3; do setsid sh -c "${each}" & done; wait`, { memoryBytes: 150 * MIB });
    expect(result.end).toMatchObject({ kind: 'limit', limit: 'memory', message: expect.stringContaining('150 MiB') });
    expect(result.peakMemoryBytes).toBeGreaterThan(150 * MIB);
    expect(result.notes).toEqual([]);
  });

  test('memory: pages that processes share count once', async () => {
    const line = `perl -e '$x = "x" x 80e6; for (1..5) { fork or do { sleep 3; exit } } 1 while wait > 0; exit 3'`;
    const result = await start(line, { memoryBytes: 300 * MIB });
    expect(result.end).toEqual({ kind: 'exit', code: 3 });
    expect(result.peakMemoryBytes).toBeGreaterThan(80e6);
  });

  test.skipIf(MEMFD_CREATE === undefined)('memory: nameless files in memory count', async () => {
    const line = `perl -e 'my $n = "x"; my $fd = syscall(${MEMFD_CREATE}, $n, 0); open(my $f, ">&=", $fd);
      for (1..200) { syswrite($f, "x" x 1e6) } sleep 60'`;
    const { end } = await start(line, { memoryBytes: 100 * MIB });
    expect(end).toMatchObject({ kind: 'limit', limit: 'memory' });
  });

  test('disk: one big file', async () => {
    const { end } = await start('head -c 200000000 /dev/zero > big; sleep 60', { diskBytes: 64 * MIB });
    expect(end).toMatchObject({ kind: 'limit', limit: 'disk', message: expect.stringContaining('64 MiB') });
  });

  test('file size, CPU time and core dumps', async () => {
    const big = await start('ulimit -c; head -c 5000000 /dev/zero > big; wc -c < big', { fileBytes: MIB });
    expect(big.stdout.text).toBe(`0\n${MIB}\n`);
    const busy = await start('while :; do :; done', { cpuMs: 1_000 });
    expect(busy.end).toEqual({ kind: 'signal', signal: 'SIGXCPU' });
    const deaf = await start('trap "" XCPU; while :; do :; done', { cpuMs: 1_000 });
    expect(deaf.end).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });

  test('disk: neither what was there before nor what others write counts', async () => {
    const folder = join(scratch, `${++folders}`);
    await mkdir(folder);
    await writeFile(join(folder, 'before'), Buffer.alloc(100 * MIB));
    // Until it is older than the clock of files is coarse.
    await sleep(50);
    const spec = sandbox({ mode, writable: [folder], limits: { ...NO_LIMITS, diskBytes: 64 * MIB } });
    const beside = join(scratch, `beside${folders}`);
    const line = 'while [ ! -e go ]; do sleep 0.05; done; sleep 1; exit 3';
    const running = run(shell(line, { cwd: folder, sandbox: spec }), isolation);
    const other = spawn('sh', ['-c', `head -c 300000000 /dev/zero > ${beside}; touch ${folder}/go`]);
    await once(other, 'exit');
    expect((await running).end).toEqual({ kind: 'exit', code: 3 });
    expect((await stat(beside)).size).toBe(300_000_000);
  });

  test('within its limits nothing is said, and what was had is known', async () => {
    const result = await start('head -c 30000000 /dev/zero | tail -c 1 | wc -c; sleep 0.2', {
      memoryBytes: 500 * MIB,
      fileBytes: MIB,
      cpuMs: 60_000,
      diskBytes: 64 * MIB,
    });
    expect(result).toMatchObject({ end: { kind: 'exit', code: 0 }, notes: [], isolation: isolation.level });
    expect(result.peakMemoryBytes).toBeGreaterThan(0);
    expect((await start('exit 0', { fileBytes: MIB })).peakMemoryBytes).toBeNull();
  });

  test('without prlimit the record says what was not limited', async () => {
    const poor = { ...isolation, prlimit: null };
    const spec = sandbox({ mode, limits: { ...NO_LIMITS, fileBytes: MIB } });
    const { end, notes } = await run(
      shell('exit 0', { sandbox: spec, ...(mode === 'required' ? { cwd: '/' } : {}) }),
      poor,
    );
    expect(end).toEqual({ kind: 'exit', code: 0 });
    expect(notes).toEqual([expect.stringContaining('no prlimit')]);
  });

  return start;
}
