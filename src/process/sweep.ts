import { setTimeout as sleep } from 'node:timers/promises';
import { InfrastructureError } from '../errors.ts';
import { MARK_VARIABLE, type Mark, parseMark } from './mark.ts';
import { listPids, processStart, readVariable } from './proc.ts';

const MAX_ROUNDS = 200;
const ROUND_MS = 5;

/** Running processes whose mark satisfies `matches`. A process of another user is not seen. */
function find(matches: (mark: string) => boolean): number[] {
  return listPids().filter((pid) => {
    if (pid === process.pid) return false;
    const mark = readVariable(pid, MARK_VARIABLE);
    return mark !== null && matches(mark) && processStart(pid) !== null;
  });
}

/** Pids of the running children (of any depth) of a workspace, whoever started them. */
export function findMarked(workspace: string): number[] {
  return find((mark) => parseMark(mark)?.workspace === workspace);
}

/**
 * Kills until two scans in a row find nobody: one that forks while we scan is found by the next round, and one that is in the
 * middle of its exec shows no environment for a moment.
 */
async function killAll(matches: (mark: string) => boolean): Promise<number[]> {
  const killed = new Set<number>();
  let clean = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const alive = find(matches);
    clean = alive.length === 0 ? clean + 1 : 0;
    if (clean === 2) return [...killed];
    for (const pid of alive) {
      signal(pid, 'SIGKILL');
      killed.add(pid);
    }
    await sleep(ROUND_MS);
  }
  throw new InfrastructureError(`processes survive SIGKILL: ${find(matches).join(', ')}`);
}

/**
 * Kills every process of one run that is still there, also those that left the group by setsid or a double fork.
 * A process that replaced its whole environment is not found; only a pid namespace (level 1 up) holds that one.
 */
export async function sweepRun(mark: string): Promise<void> {
  await killAll((other) => other === mark);
}

/**
 * Kills what an earlier, dead process of this workspace left running.
 *
 * @returns the pids that were killed
 */
export async function sweepStrays(workspace: string): Promise<number[]> {
  return killAll((text) => {
    const mark = parseMark(text);
    return mark !== null && mark.workspace === workspace && !ownerLives(mark);
  });
}

function ownerLives(mark: Mark): boolean {
  return processStart(mark.ownerPid) === mark.ownerStart;
}

/** Signals a process, or a group when `pid` is negative. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // Ended already, which is what we want. EPERM: it changed its user; the caller's next look decides.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
