import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { parseCpuList } from '../../src/process/cpu/list.ts';
import { parseCpuTimes, shareBetween } from '../../src/process/cpu/times.ts';
import { allowedCpus, observeLoad } from '../../src/process/index.ts';

test.each([
  ['0-3,8', [0, 1, 2, 3, 8]],
  ['5', [5]],
  ['2,0-1', [0, 1, 2]],
  ['', []],
  ['unknown', []],
])('the list of CPUs %j', (list, cpus) => expect(parseCpuList(list)).toEqual(cpus));

describe('times of CPUs', () => {
  const before = parseCpuTimes('cpu  9 9 9 9\ncpu0 10 0 10 80 0 0 0 0 0 0\ncpu1 0 0 0 100 0 0 0 0\nintr 1 2');
  const after = parseCpuTimes('cpu  9 9 9 9\ncpu0 40 0 10 90 10 0 0 50 7 0\ncpu1 0 0 0 50 0 0 0 0\nintr 1 2');

  test('are read by CPU: idle and waiting are not busy, guests are not counted twice', () => {
    expect(before.get(0)).toEqual({ total: 100, busy: 20, stolen: 0 });
    expect(after.get(0)).toEqual({ total: 200, busy: 100, stolen: 50 });
    expect([...before.keys()]).toEqual([0, 1]);
  });

  test('give shares, or nothing where nothing is known', () => {
    expect(shareBetween(before, after, [0], (time) => time.busy)).toBe(0.8);
    expect(shareBetween(before, after, [0], (time) => time.stolen)).toBe(0.5);
    // Counters that went back, and CPUs that came or went.
    expect(shareBetween(before, after, [1], (time) => time.busy)).toBeNull();
    expect(shareBetween(before, after, [7], (time) => time.busy)).toBeNull();
    expect(parseCpuTimes('something else')).toEqual(new Map());
  });
});

test('what another process did meanwhile is seen, beside the CPU of the measurement', async () => {
  const cpus = await allowedCpus();
  const [first = 0, last = cpus.at(-1) ?? 0] = [cpus[0], cpus.at(-1)];
  const busy = spawn('taskset', ['-c', `${last}`, 'sh', '-c', 'while :; do :; done']);
  await once(busy, 'spawn');
  const observer = observeLoad(first);
  await sleep(300);
  const load = observer.finish();
  busy.kill('SIGKILL');
  expect(load).toMatchObject({ host: hostname(), cpu: first });
  expect(load.load1.every((value) => value >= 0)).toBe(true);
  if (cpus.length > 1) expect(load.otherBusy).toBeGreaterThan(0.5 / (cpus.length - 1));
  expect(load.stolen).toBeGreaterThanOrEqual(0);
});

test('without a CPU of its own all are looked at; too soon nothing is known', () => {
  expect(observeLoad().finish()).toMatchObject({ cpu: null, otherBusy: null, stolen: null });
});
