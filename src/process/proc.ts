import { readdirSync, readFileSync } from 'node:fs';

/** States of `/proc/<pid>/stat` in which a process holds nothing and runs nothing: zombie, dead. */
const GONE = new Set(['Z', 'X', 'x']);

/**
 * When a process started, in clock ticks since boot (field 22 of `/proc/<pid>/stat`, proc(5)); null when it does not run.
 * A pid together with its start names one process, a pid alone names whoever has it now.
 */
export function processStart(pid: number): number | null {
  const fields = readStat(pid);
  const [state, start] = [fields[0], fields[19]];
  return state === undefined || start === undefined || GONE.has(state) ? null : Number(start);
}

/** Pid of the parent (field 4); null when the process does not run. */
export function processParent(pid: number): number | null {
  const [state, parent] = readStat(pid);
  return state === undefined || parent === undefined || GONE.has(state) ? null : Number(parent);
}

/** Pids of all processes that `/proc` shows. */
export function listPids(): number[] {
  return readdirSync('/proc').map(Number).filter(Number.isInteger);
}

/** One variable of a process's environment as it was at its `exec`; null when unset, gone or not ours to read. */
export function readVariable(pid: number, name: string): string | null {
  const environment = readProc(pid, 'environ');
  if (environment === null) return null;
  const prefix = `${name}=`;
  const start = environment.startsWith(prefix) ? 0 : environment.indexOf(`\0${prefix}`) + 1;
  if (start === 0 && !environment.startsWith(prefix)) return null;
  const end = environment.indexOf('\0', start);
  return environment.slice(start + prefix.length, end === -1 ? undefined : end);
}

/** The fields of `/proc/<pid>/stat` from the third, the state, on; empty when there is no such process. */
function readStat(pid: number): string[] {
  const stat = readProc(pid, 'stat');
  // The second field is the command in parentheses and may itself hold spaces and parentheses.
  return stat === null ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // It ended meanwhile (ENOENT, ESRCH) or belongs to another user (EACCES): for us it is not there.
    return null;
  }
}
