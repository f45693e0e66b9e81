import { InfrastructureError } from '../errors.ts';
import { allowedCpus, findExecutable } from '../process/index.ts';

/** How a command is kept on some CPUs: an argv prefix (empty: it is not), and a note why it is not though it should be. */
export interface Lane {
  readonly prefix: readonly string[];
  readonly notes: readonly string[];
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * Pins to `cpus` (numbers as in /proc/cpuinfo) with taskset(1); an empty list pins to nothing.
 *
 * @throws InfrastructureError for a CPU that this process may not use: taskset would fail, and that would be held against
 * the candidate.
 */
export async function laneFor(cpus: readonly number[]): Promise<Lane> {
  if (cpus.length === 0) return { prefix: [], notes: [] };
  const taskset = await findExecutable('taskset', SYSTEM_PATH, '/');
  if (taskset === null)
    return { prefix: [], notes: ['taskset is not installed: the evaluator was not pinned to its CPUs'] };
  const allowed = await allowedCpus();
  const missing = cpus.filter((cpu) => !allowed.includes(cpu));
  if (missing.length > 0) throw new InfrastructureError(`this machine gives no CPU ${missing.join(', ')}`);
  return { prefix: [taskset, '-c', cpus.join(',')], notes: [] };
}
