import { hostname, loadavg } from 'node:os';
import { readCpuTimes, shareBetween } from './times.ts';

/** What the machine did beside a measurement. */
export interface MachineLoad {
  readonly host: string;
  /** The CPU that the measurement was kept on. */
  readonly cpu: number | null;
  /** Average number of runnable processes over a minute, at start and end. */
  readonly load1: readonly [number, number];
  /**
   * Share of the time, 0 to 1, that the other CPUs were busy; without a CPU of its own, all of them, the measurement's own work
   * included. Null where it is not known, also because no clock tick passed.
   */
  readonly otherBusy: number | null;
  /** Share of the time that the machine was refused its CPUs by the one that it runs in (that CPU's alone, when there is one). */
  readonly stolen: number | null;
}

export interface LoadObserver {
  finish(): MachineLoad;
}

/** Looks at the machine now and again at `finish`. `cpu`: the one that the measurement is kept on. Never throws. */
export function observeLoad(cpu: number | null = null): LoadObserver {
  const before = readCpuTimes();
  const [loadBefore = 0] = loadavg();
  return {
    finish() {
      const after = readCpuTimes();
      const [loadAfter = 0] = loadavg();
      const all = [...after.keys()];
      const others = all.filter((other) => other !== cpu);
      const own = cpu === null ? all : [cpu];
      return {
        host: hostname(),
        cpu,
        load1: [loadBefore, loadAfter],
        otherBusy: shareBetween(before, after, others, (time) => time.busy),
        stolen: shareBetween(before, after, own, (time) => time.stolen),
      };
    },
  };
}
