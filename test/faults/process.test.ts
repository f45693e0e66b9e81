/** Faults 1, 2, 3 and 7 in one run each, as a worker would meet them; the details are tested in test/process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { allowedCpus, findMarked, type Isolation, probeIsolation, run } from '../../src/process/index.ts';
import { sandbox, shell, watchForLeaks } from '../process/fixture.ts';
import { describeIf } from '../support/requirements.ts';

const workspace = watchForLeaks();
const machine = await probeIsolation();
const [cpu = 0] = await allowedCpus();
const index = new URL('../../src/process/index.ts', import.meta.url).href;

describe('without a sandbox', () => survives(machine, 'off'));
await describeIf('unshare', 'in a pid namespace', () => survives({ ...machine, level: 1, bubblewrap: null }, 'prefer'));
await describeIf('bubblewrap', 'in bubblewrap', () => survives(machine, 'required'));

function survives(isolation: Isolation, mode: 'off' | 'prefer' | 'required') {
  const start = (line: string, timeoutMs: number) =>
    run(shell(line, { cwd: '/', timeoutMs, graceMs: 200, sandbox: sandbox({ mode }) }), isolation);

  test('fault 1: deaf, spinning, with children that left the group and hold the pipes: the slot is free', async () => {
    const line = `trap '' TERM INT HUP; (setsid sh -c 'trap "" TERM; setsid sleep 300 & sleep 301' &) ; while :; do :; done`;
    expect((await start(line, 400)).end).toEqual({ kind: 'timeout' });
    expect(findMarked(workspace)).toEqual([]);
  });

  test('fault 1: the answer of a leader counts although a grandchild holds its pipes', async () => {
    const { end, stdout } = await start(`echo answer; (setsid sh -c 'trap "" TERM; sleep 300' &); exit 0`, 60_000);
    expect([end, stdout.text]).toEqual([{ kind: 'exit', code: 0 }, 'answer\n']);
  });

  test('fault 2: every death is one ended run, and the worker goes on', async () => {
    const deaths = ['kill -SEGV $$', 'kill -KILL 0; sleep 300', 'kill -KILL $PPID; sleep 300', 'kill -ABRT $$'];
    const ends = await Promise.all(deaths.map((line) => start(line, 1_500)));
    expect(ends.map(({ end }) => ['signal', 'timeout'].includes(end.kind))).toEqual([true, true, true, true]);
    expect((await start('exit 4', 60_000)).end).toEqual({ kind: 'exit', code: 4 });
  });

  test('fault 3: output of any size and kind ends as bounded, valid text', async () => {
    const line = 'printf "head\\000\\377"; head -c 50000000 /dev/urandom; head -c 50000000 /dev/zero >&2; printf tail';
    const { stdout, stderr } = await start(line, 60_000);
    for (const { text, truncated } of [stdout, stderr]) {
      expect([truncated, text.isWellFormed(), text.includes('\0'), text.length < 200_000]).toEqual([
        true,
        true,
        false,
        true,
      ]);
    }
    expect([stdout.text.startsWith('head\uFFFD\uFFFD'), stdout.text.endsWith('tail')]).toEqual([true, true]);
  });
}

test('fault 7: measurements of several worker processes on one CPU never overlap', async () => {
  const source = `
    import { leaseCpu, run } from ${JSON.stringify(index)};
    const lease = await leaseCpu([${cpu}], new AbortController().signal);
    const now = () => process.hrtime.bigint();
    const from = now();
    await run({ argv: ['sleep', '0.05'], cwd: '/', env: { PATH: '/usr/bin:/bin' }, timeoutMs: 60000 });
    console.log(from + ' ' + now());
    await lease.release();`;
  const workers = [1, 2, 3, 4].map(async () => {
    const worker = spawn(process.execPath, ['--input-type=module', '-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    worker.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await once(worker, 'close');
    return text.trim().split(' ').map(Number) as [number, number];
  });
  const spans = (await Promise.all(workers)).toSorted(([a], [b]) => a - b);
  for (const [at, [, end]] of spans.entries()) expect(end).toBeLessThanOrEqual(spans[at + 1]?.[0] ?? Infinity);
  expect(spans.flat().every((time) => time > 0)).toBe(true);
});
