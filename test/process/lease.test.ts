import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, test } from 'vitest';
import { idlestFirst } from '../../src/process/cpu/lease.ts';
import { allowedCpus, leaseCpu } from '../../src/process/index.ts';
import { scratchFolder } from './fixture.ts';

const never = new AbortController().signal;
const scratch = await scratchFolder();
const cpus = await allowedCpus();
const [cpu = 0] = cpus;
const index = new URL('../../src/process/index.ts', import.meta.url).href;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that leases a CPU of `pool` on the word `take` and gives it back on `give`, and says what it did. */
function holder(pool: readonly number[]) {
  const source = `
    import { createInterface } from 'node:readline';
    import { leaseCpu } from ${JSON.stringify(index)};
    let lease;
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'take') lease = await leaseCpu(${JSON.stringify(pool)}, new AbortController().signal);
      else await lease.release();
      console.log(line === 'take' ? 'has ' + lease.cpu : 'gave');
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    tell: (word: string) => void child.stdin.write(`${word}\n`),
    next: async () => (await lines.next()).value as string,
  };
}

describe('a leased CPU', () => {
  test('is given to one process at a time, also after its holder was killed', async () => {
    const [first, second, third] = [holder([cpu]), holder([cpu]), holder([cpu])];
    first.tell('take');
    expect(await first.next()).toBe(`has ${cpu}`);
    second.tell('take');
    third.tell('take');
    const both = [second, third].map(async (one) => ({ one, line: await one.next() }));
    const lucky = Promise.race(both);
    const early = await Promise.race([lucky, leaseCpu([cpu], AbortSignal.timeout(600)).catch(() => 'still taken')]);
    expect(early).toBe('still taken');
    first.child.kill('SIGKILL');
    const { one, line } = await lucky;
    expect(line).toBe(`has ${cpu}`);
    one.tell('give');
    expect((await Promise.all(both)).map((other) => other.line)).toEqual([`has ${cpu}`, `has ${cpu}`]);
  });

  test('is never held twice, and everybody gets a turn', async () => {
    const log = join(scratch, 'log');
    const source = `
      import { appendFileSync } from 'node:fs';
      import { leaseCpu } from ${JSON.stringify(index)};
      for (let turn = 0; turn < 5; turn++) {
        const lease = await leaseCpu([${cpu}], new AbortController().signal);
        appendFileSync(${JSON.stringify(log)}, process.pid + ' in\\n');
        await new Promise((resolve) => setTimeout(resolve, 10));
        appendFileSync(${JSON.stringify(log)}, process.pid + ' out\\n');
        await lease.release();
      }`;
    await appendFile(log, '');
    const workers = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: 'inherit' }),
    );
    children.push(...workers);
    const exits = await Promise.all(workers.map((worker) => once(worker, 'exit')));
    expect(exits).toEqual(workers.map(() => [0, null]));
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
    expect(lines).toHaveLength(30);
    for (let at = 0; at < lines.length; at += 2) {
      expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'));
    }
    // Who gives it back and asks again comes after those who waited: nobody has all his turns first.
    const turns = lines.filter((_, at) => at % 2 === 0).map((line) => line.split(' ')[0]);
    expect(new Set(turns.slice(0, 9)).size).toBe(3);
  });

  test('is the idlest of those that are free', async () => {
    const times = (...busy: number[]) => new Map(busy.map((ticks, at) => [at, { total: 100, busy: ticks, stolen: 0 }]));
    const before = new Map([0, 1, 2, 3].map((at) => [at, { total: 0, busy: 0, stolen: 0 }]));
    expect(idlestFirst([0, 1, 2, 3], before, times(50, 10, 90, 10))).toEqual([3, 1, 0, 2]);
    expect(idlestFirst([0, 1], new Map(), new Map())).toEqual([1, 0]);
    const all = await Promise.all(cpus.map(() => leaseCpu('auto', never)));
    expect(all.map((lease) => lease.cpu).toSorted((a, b) => a - b)).toEqual(cpus);
    await Promise.all(all.map((lease) => lease.release()));
  });

  test('can be given back twice, and leased again in the same process', async () => {
    const lease = await leaseCpu([cpu], never);
    const waiting = leaseCpu([cpu], never);
    await lease.release();
    await lease.release();
    const next = await waiting;
    expect(next.cpu).toBe(cpu);
    await lease.release();
    await expect(leaseCpu([cpu], AbortSignal.timeout(300))).rejects.toMatchObject({ code: 'interrupted' });
    await next.release();
  });
});

test('a wait that is cancelled holds nothing', async () => {
  const lease = await leaseCpu([cpu], never);
  const controller = new AbortController();
  const waiting = leaseCpu([cpu], controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'interrupted' });
  await lease.release();
  await (await leaseCpu([cpu], never)).release();
});

test('a CPU that is not there is the fault of the machine', async () => {
  await expect(leaseCpu([cpu, 4095], never)).rejects.toMatchObject({ code: 'infrastructure' });
  await expect(leaseCpu([], never)).rejects.toMatchObject({ code: 'infrastructure' });
});
