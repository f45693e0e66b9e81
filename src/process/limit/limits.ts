import type { Limits } from '../../config/index.ts';
import type { Isolation } from '../isolation.ts';

export type { Limits };

export const NO_LIMITS: Limits = { memoryBytes: null, fileBytes: null, cpuMs: null, tmpBytes: null, diskBytes: null };

/** Seconds between SIGXCPU, which may be handled, and SIGKILL. */
const CPU_GRACE_SECONDS = 2;

/** Options of prlimit(1), which are limits of each process and inherited. A core dump would be written to the checkout. */
export function prlimitOptions({ fileBytes, cpuMs }: Limits): string[] {
  const seconds = cpuMs === null ? null : Math.max(1, Math.ceil(cpuMs / 1_000));
  return [
    '--core=0',
    ...(fileBytes === null ? [] : [`--fsize=${fileBytes}`]),
    ...(seconds === null ? [] : [`--cpu=${seconds}:${seconds + CPU_GRACE_SECONDS}`]),
  ];
}

/**
 * What was asked for and cannot be had here, one sentence each. A private /tmp that is missing (below level 2) is none of them:
 * TMPDIR then lies on the disk, which has its own limit.
 */
export function unmetLimits({ fileBytes, cpuMs }: Limits, { prlimit }: Pick<Isolation, 'prlimit'>): string[] {
  if (prlimit !== null || (fileBytes === null && cpuMs === null)) return [];
  return ['no prlimit: the size of files and CPU time were not limited'];
}
