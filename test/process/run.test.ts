import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Input, type Isolation, probeIsolation, type RunRequest, run } from '../../src/process/index.ts';
import { listPids } from '../../src/process/proc.ts';
import { describeIf } from '../support/requirements.ts';
import { sandbox, scratchFolder, shell, watchForLeaks } from './fixture.ts';

watchForLeaks();
const machine = await probeIsolation();
const scratch = await scratchFolder();
const LEAVE = 'sleep 300 & setsid sleep 301 & (setsid sh -c "sleep 302 & sleep 303" &)';

describe('without a sandbox', () => lives({ ...machine, level: 0, bubblewrap: null, unshare: null }, {}));
describe('with the sandbox off', () => lives(machine, { sandbox: sandbox({ mode: 'off' }) }));
await describeIf('unshare', 'in a pid namespace', () => {
  const isolation = { ...machine, level: 1 as const, bubblewrap: null };
  lives(isolation, { sandbox: sandbox() });
  holds(isolation);
});
await describeIf('bubblewrap', 'in bubblewrap', () => {
  lives(machine, { sandbox: sandbox() });
  holds(machine);
});

/** What holds for every level. */
function lives(isolation: Isolation, more: Partial<RunRequest>) {
  const start = (line: string, request: Partial<RunRequest> = {}) =>
    run(shell(line, { ...more, ...request }), isolation);

  test('the exit code and both streams come back', async () => {
    const result = await start('cat; echo error >&2; exit 3', { stdin: 'input' });
    expect(result.end).toEqual({ kind: 'exit', code: 3 });
    expect(result.stdout).toEqual({ text: 'input', bytes: 5, truncated: false });
    expect(result.stderr.text).toBe('error\n');
  });

  test('nothing is inherited from our environment', async () => {
    process.env.CLADE_TEST_SECRET = 'hush';
    const result = await start('env; cat /proc/1/environ /proc/$PPID/environ 2> /dev/null | tr "\\0" "\\n"');
    delete process.env.CLADE_TEST_SECRET;
    expect(result.stdout.text).toContain('LANG=C.UTF-8');
    expect(result.stdout.text.split('\n').filter((line) => line.includes('hush'))).toEqual([]);
  });

  test('a signal is the end, not an exit code', async () => {
    expect((await start('kill -SEGV $$')).end).toEqual({ kind: 'signal', signal: 'SIGSEGV' });
  });

  test('who kills his own group kills no one else', async () => {
    expect((await start('kill -KILL 0; sleep 300')).end).toMatchObject({ kind: 'signal', signal: 'SIGKILL' });
  });

  test('a leader that answered keeps its result; those it left behind are gone', async () => {
    const result = await start(`${LEAVE}; echo done`);
    expect(result.end).toEqual({ kind: 'exit', code: 0 });
    expect(result.stdout.text).toBe('done\n');
  });

  test('TERM is heard at the deadline', async () => {
    const line = 'trap "echo tidied; exit 0" TERM; while :; do sleep 0.02; done';
    const result = await start(line, { timeoutMs: 300, graceMs: 20_000 });
    expect(result.end).toEqual({ kind: 'timeout' });
    expect(result.stdout.text).toBe('tidied\n');
  });

  test('who ignores TERM and spins is killed after the grace, with all descendants', async () => {
    const result = await start(`trap "" TERM; ${LEAVE}; while :; do :; done`, { timeoutMs: 300 });
    expect(result.end).toEqual({ kind: 'timeout' });
  });

  test('an abort is a cancellation', async () => {
    const controller = new AbortController();
    const running = start('echo started; exec sleep 300', {
      signal: controller.signal,
      onStdout: () => controller.abort(),
    });
    expect(await running).toMatchObject({ end: { kind: 'cancelled' }, stdout: { text: 'started\n' } });
  });

  test('what is not there could not be started', async () => {
    const { end } = await run({ ...shell(''), ...more, argv: ['no-such-command'] }, isolation);
    expect(end).toMatchObject({ kind: 'spawn-failed' });
  });

  test('a child that is talked with hears each word and answers it before the next', async () => {
    const heard: string[] = [];
    let input: Input | undefined;
    const words = ['one', 'two'];
    const next = async (): Promise<void> => {
      const word = words.shift();
      if (word === undefined) input?.end();
      else await input?.write(Buffer.from(`${word}\n`));
    };
    const { end } = await start('while read word; do echo "heard $word"; done; exit 4', {
      onStdin: (given) => {
        input = given;
        void next();
      },
      onStdout: async (chunk) => {
        heard.push(Buffer.from(chunk).toString());
        await next();
      },
    });
    expect(heard).toEqual(['heard one\n', 'heard two\n']);
    expect(end).toEqual({ kind: 'exit', code: 4 });
    await input?.write(Buffer.from('too late'));
  });

  test('what a child does not read is not taken, until it ends', async () => {
    const written: string[] = [];
    const ended = Promise.withResolvers<void>();
    const onStdin = async ({ write }: Input) => {
      await write(Buffer.alloc(1_000_000));
      written.push('after');
      ended.resolve();
    };
    await start('sleep 0.2; echo done; sleep 0.2', {
      onStdin: (input) => void onStdin(input),
      onStdout: () => void written.push('done'),
    });
    await ended.promise;
    expect(written).toEqual(['done', 'after']);
  });

  test('stdin that nobody reads does not hurt', async () => {
    expect((await start('exit 0', { stdin: 'x'.repeat(5_000_000) })).end).toEqual({ kind: 'exit', code: 0 });
  });
}

/** What only a pid namespace can do. */
function holds(isolation: Isolation) {
  test('who took off the mark and left the group is gone as well', async () => {
    const seconds = `3${process.pid}`;
    const line = `env -i setsid sleep ${seconds} & sleep 0.1; cat /proc/$!/cmdline`;
    const { stdout } = await run(shell(line, { sandbox: sandbox() }), isolation);
    // It was there; the two NUL of the command line are stored as U+FFFD.
    expect(stdout.text).toBe(`sleep\uFFFD${seconds}\uFFFD`);
    const commands = listPids().map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'gone'));
    expect(await Promise.all(commands)).not.toContain(`sleep\0${seconds}\0`);
  });
}

describe('in a guard', () => {
  test('a kill of the parent hits nobody of ours', async () => {
    const off = { sandbox: sandbox({ mode: 'off' as const }) };
    const { end } = await run(shell('kill -KILL $PPID; exec sleep 300', off));
    expect(end).toEqual({ kind: 'signal', signal: 'SIGKILL' });
  });
});

describe('output', () => {
  test('of hundreds of megabytes costs bounded memory', async () => {
    const before = process.memoryUsage().rss;
    let peak = 0;
    const onStdout = () => {
      peak = Math.max(peak, process.memoryUsage.rss());
    };
    const { stdout } = await run(
      shell('echo first; head -c 300000000 /dev/zero | tr "\\0" x; echo; echo last', { onStdout }),
    );
    expect(stdout.bytes).toBe(300_000_000 + 12);
    expect(stdout.truncated).toBe(true);
    expect(stdout.text.length).toBeLessThan(132_000);
    expect(stdout.text.startsWith('first\n')).toBe(true);
    expect(stdout.text.endsWith('\nlast\n')).toBe(true);
    expect(peak - before).toBeLessThan(150 * 2 ** 20);
  });

  test('goes to the log up to its cap', async () => {
    const logFile = join(scratch, 'log');
    await run(shell('head -c 5000 /dev/zero | tr "\\0" x; echo more', { logFile, logBytes: 1000 }));
    expect(await readFile(logFile, 'utf8')).toBe(`${'x'.repeat(1000)}\n… log cut at 1000 bytes …\n`);
  });

  test('that cannot be logged is an infrastructure error', async () => {
    const running = run(shell('head -c 100000 /dev/zero', { logFile: '/dev/full' }));
    await expect(running).rejects.toMatchObject({ code: 'infrastructure' });
  });
});

test('an already aborted signal starts nothing', async () => {
  const file = join(scratch, 'started');
  const { end } = await run(shell(`touch ${file}`, { signal: AbortSignal.abort() }));
  expect(end).toEqual({ kind: 'cancelled' });
  await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a deadline beyond what timers take is not at once', async () => {
  const { end } = await run(shell('exit 0', { timeoutMs: 2 ** 40 }));
  expect(end).toEqual({ kind: 'exit', code: 0 });
});

test('somebody who holds the pipes and hid from the sweep does not hold us', async () => {
  // Its environment is empty, so it bears no mark; without a pid namespace it is out of reach.
  const line = 'env -i setsid sh -c "echo \\$\\$; exec sleep 20" & sleep 0.2; exit 4';
  const result = await run(shell(line, { graceMs: 200 }));
  expect(result.end).toEqual({ kind: 'exit', code: 4 });
  process.kill(Number(result.stdout.text), 'SIGKILL');
});
