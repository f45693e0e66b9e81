import { readFile } from 'node:fs/promises';

/** The CPUs that this process may use, ascending, numbered as in /proc/cpuinfo; empty when the system does not say. */
export async function allowedCpus(): Promise<number[]> {
  const status = await readFile('/proc/self/status', 'utf8');
  return parseCpuList(/^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1] ?? '');
}

/** Reads `0-3,8` (cpuset(7), "List format"). */
export function parseCpuList(list: string): number[] {
  const cpus = new Set<number>();
  for (const part of list.split(',')) {
    const range = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (range === null) continue;
    const first = Number(range[1]);
    for (let cpu = first; cpu <= Number(range[2] ?? first); cpu++) cpus.add(cpu);
  }
  return [...cpus].sort((a, b) => a - b);
}
