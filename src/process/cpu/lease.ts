import { setTimeout as sleep } from 'node:timers/promises';
import { InfrastructureError, InterruptedError } from '../../errors.ts';
import { claim, whenFree } from './claim.ts';
import { allowedCpus } from './list.ts';
import { type CpuTimes, readCpuTimes, shareBetween } from './times.ts';

/** A CPU that no other lease of this machine has. Whoever holds it must also keep its child on it, as with taskset(1). */
export interface CpuLease {
  readonly cpu: number;
  /** Gives it back; a second call does nothing. The end of this process, however it came, does the same. */
  release(): Promise<void>;
}

/** Between two looks at what the CPUs do. Whoever waits already is served meanwhile. */
const LOOK_MS = 100;

/**
 * Leases a CPU of `pool` (numbers as in /proc/cpuinfo; `auto`: all that this process may use): of the free ones the idlest.
 * Waits while all are taken; who has waited longest for a CPU is told first, and a newcomer looks around before it asks.
 *
 * Exclusive among the processes of one machine that share a network namespace, of whatever user; see `claim.ts`.
 *
 * @throws InfrastructureError when this process may not use a CPU of the pool, or leases do not work here;
 * InterruptedError when `signal` fires before there is one. A lease that was given outlives the signal: the child on that CPU
 * may not have ended yet.
 */
export async function leaseCpu(pool: readonly number[] | 'auto', signal: AbortSignal): Promise<CpuLease> {
  const cpus = await usable(pool);
  let order = await lookAround(cpus, signal);
  while (!signal.aborted) {
    for (const cpu of order) {
      const held = await claim(cpu);
      if (held !== null) return { cpu, release: held.release };
    }
    order = [await firstReleased(cpus, signal)];
  }
  throw new InterruptedError('the wait for a free CPU was cancelled', { cause: signal.reason });
}

/** @throws InfrastructureError for a CPU that a child could not be kept on. */
async function usable(pool: readonly number[] | 'auto'): Promise<readonly number[]> {
  const allowed = await allowedCpus();
  const cpus = pool === 'auto' ? allowed : [...new Set(pool)];
  const missing = cpus.filter((cpu) => !allowed.includes(cpu));
  if (missing.length > 0) throw new InfrastructureError(`this machine gives no CPU ${missing.join(', ')}`);
  if (cpus.length === 0) throw new InfrastructureError('there is no CPU to lease');
  return cpus;
}

async function lookAround(cpus: readonly number[], signal: AbortSignal): Promise<readonly number[]> {
  const before = readCpuTimes();
  await sleep(LOOK_MS, undefined, { signal }).catch(() => {}); // the caller looks at the signal
  return idlestFirst(cpus, before, readCpuTimes());
}

/** Of equally idle ones the later: the kernel likes to put what it has at hand on the first. */
export function idlestFirst(cpus: readonly number[], before: CpuTimes, after: CpuTimes): readonly number[] {
  const busy = new Map(cpus.map((cpu) => [cpu, shareBetween(before, after, [cpu], (time) => time.busy) ?? 0]));
  return cpus.toSorted((a, b) => (busy.get(a) ?? 0) - (busy.get(b) ?? 0) || b - a);
}

/** The CPU whose holder let go first. */
async function firstReleased(cpus: readonly number[], signal: AbortSignal): Promise<number> {
  const decided = new AbortController();
  const either = AbortSignal.any([signal, decided.signal]);
  const first = await Promise.race(cpus.map((cpu) => whenFree(cpu, either).then(() => cpu)));
  decided.abort();
  return first;
}
