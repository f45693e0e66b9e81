import { readFileSync } from 'node:fs';

/** Time of one CPU since the start of the machine, in clock ticks. */
export interface CpuTime {
  readonly total: number;
  /** All but idle and waiting for devices. */
  readonly busy: number;
  /** Given to other machines by the one that this one runs in. Part of `busy`. */
  readonly stolen: number;
}

export type CpuTimes = ReadonlyMap<number, CpuTime>;

/** Empty where there is no `/proc/stat` or it looks otherwise. */
export function readCpuTimes(): CpuTimes {
  try {
    return parseCpuTimes(readFileSync('/proc/stat', 'latin1'));
  } catch {
    // Not Linux, or /proc is masked: nothing is known, which every caller must be able to say.
    return new Map();
  }
}

/** Reads the lines `cpu3 user nice system idle iowait irq softirq steal …` of proc(5); guest time is part of user. */
export function parseCpuTimes(stat: string): CpuTimes {
  const times = new Map<number, CpuTime>();
  for (const [, cpu, fields] of stat.matchAll(/^cpu(\d+) ([\d ]+)$/gm)) {
    const ticks = (fields ?? '').trim().split(/ +/).slice(0, 8).map(Number);
    const total = ticks.reduce((sum, value) => sum + value, 0);
    const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
    times.set(Number(cpu), { total, busy: total - idle, stolen: ticks[7] ?? 0 });
  }
  return times;
}

/**
 * The share, 0 to 1, of what `pick` picks in the time of these CPUs between two looks; null when nothing passed or nothing is
 * known. Counters of the kernel can go back a tick.
 */
export function shareBetween(
  before: CpuTimes,
  after: CpuTimes,
  cpus: Iterable<number>,
  pick: (time: CpuTime) => number,
): number | null {
  let [part, whole] = [0, 0];
  for (const cpu of cpus) {
    const [first, last] = [before.get(cpu), after.get(cpu)];
    if (first === undefined || last === undefined) continue;
    part += Math.max(0, pick(last) - pick(first));
    whole += Math.max(0, last.total - first.total);
  }
  return whole === 0 ? null : Math.min(1, part / whole);
}
