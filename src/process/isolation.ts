import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { bubblewrapArguments } from './bubblewrap.ts';
import { probeCgroup } from './cgroup/probe.ts';
import { findExecutable } from './executable.ts';
import type { IsolationLevel } from './request.ts';
import { systemPaths } from './system-paths.ts';

/** What this machine can fence, found by trying. */
export interface Isolation {
  /** 3: bubblewrap and cgroups work; 2: bubblewrap works; 1: unshare gives a pid namespace; 0: process group and mark only. */
  readonly level: IsolationLevel;
  /** Absolute path, null when it is missing or does not work here. */
  readonly bubblewrap: string | null;
  /** argv prefix that starts a command in a pid namespace of its own which dies with it. */
  readonly unshare: readonly string[] | null;
  /** For limits of each process. */
  readonly prlimit: string | null;
  /** The folder of cgroup v2 in which a run can have a leaf of its own; null when it cannot. */
  readonly cgroup: string | null;
  /** Why the level is not higher, one sentence each. */
  readonly notes: readonly string[];
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
const PROBE_TIMEOUT_MS = 10_000;
const TRIAL_TMP_BYTES = 2 ** 20;

let probed: Promise<Isolation> | undefined;

/** Tries each means once in the life of this process. */
export function probeIsolation(): Promise<Isolation> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<Isolation> {
  const notes: string[] = [];
  const [bubblewrap, unshare, prlimit, cgroup] = await Promise.all([
    tryBubblewrap(notes),
    tryUnshare(notes),
    findExecutable('prlimit', SYSTEM_PATH, '/'),
    probeCgroup(),
  ]);
  if (prlimit === null)
    notes.push('prlimit is not installed: no limit of file size and CPU time (package util-linux).');
  if (cgroup.folder === null) notes.push(`memory is watched, not limited by the kernel: ${cgroup.reason}.`);
  const fenced = bubblewrap !== null;
  const level = fenced && cgroup.folder !== null ? 3 : fenced ? 2 : unshare !== null ? 1 : 0;
  return { level, bubblewrap, unshare, prlimit, cgroup: cgroup.folder, notes };
}

async function tryBubblewrap(notes: string[]): Promise<string | null> {
  const program = await findExecutable('bwrap', SYSTEM_PATH, '/');
  if (program === null) {
    notes.push('bubblewrap is not installed (apt-get install bubblewrap).');
    return null;
  }
  const plan = { network: false, cwd: '/', system: systemPaths('', false), readOnly: [], writable: [], masks: [] };
  const argv = bubblewrapArguments({ ...plan, tmpBytes: TRIAL_TMP_BYTES, statusFd: 1 });
  const failure = await trial([program, ...argv, '/bin/true']);
  if (failure !== null) notes.push(`bubblewrap does not work here: ${failure}`);
  return failure === null ? program : null;
}

async function tryUnshare(notes: string[]): Promise<readonly string[] | null> {
  const program = await findExecutable('unshare', SYSTEM_PATH, '/');
  if (program === null) {
    notes.push('unshare is not installed (package util-linux).');
    return null;
  }
  // Without root a pid namespace needs a user namespace around it.
  const user = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  const prefix = [program, ...user, '--pid', '--fork', '--kill-child', '--mount-proc', '--'];
  const failure = await trial([...prefix, '/bin/true']);
  if (failure !== null) notes.push(`unshare does not work here: ${failure}`);
  return failure === null ? prefix : null;
}

/** Null when the command succeeded, else what it said. */
async function trial(argv: readonly string[]): Promise<string | null> {
  const [file = '', ...rest] = argv;
  try {
    await promisify(execFile)(file, rest, { timeout: PROBE_TIMEOUT_MS, cwd: tmpdir(), env: { PATH: SYSTEM_PATH } });
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).trim().split('\n').at(-1) ?? 'failed';
  }
}
