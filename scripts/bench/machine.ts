import { cpus, loadavg } from 'node:os';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** Mean number of runnable processes over the last minute. */
  readonly load: number;
  readonly node: string;
}

export function describeMachine(): Machine {
  const cores = cpus();
  return {
    cpu: cores[0]?.model.trim() ?? 'unknown CPU',
    cores: cores.length,
    load: Number((loadavg()[0] ?? 0).toFixed(2)),
    node: process.versions.node,
  };
}
