import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { bubblewrapArguments } from './bubblewrap.ts';
import { findExecutable } from './executable.ts';
import type { IsolationLevel } from './request.ts';
import { systemPaths } from './system-paths.ts';

/** What this machine can fence, found by trying. */
export interface Isolation {
  /** 2: bubblewrap works; 1: unshare gives a pid namespace; 0: process group and mark only. */
  readonly level: IsolationLevel;
  /** Absolute path, null when it is missing or does not work here. */
  readonly bubblewrap: string | null;
  /** argv prefix that starts a command in a pid namespace of its own which dies with it. */
  readonly unshare: readonly string[] | null;
  /** For limits of memory. */
  readonly prlimit: string | null;
  /** Why the level is not higher, one sentence each. */
  readonly notes: readonly string[];
}

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin';
const PROBE_TIMEOUT_MS = 10_000;

let probed: Promise<Isolation> | undefined;

/** Tries each means once in the life of this process. */
export function probeIsolation(): Promise<Isolation> {
  probed ??= probe();
  return probed;
}

async function probe(): Promise<Isolation> {
  const notes: string[] = [];
  const [bubblewrap, unshare, prlimit] = await Promise.all([
    tryBubblewrap(notes),
    tryUnshare(notes),
    findExecutable('prlimit', SYSTEM_PATH, '/'),
  ]);
  if (prlimit === null) notes.push('prlimit is not installed: memory limits have no effect (package util-linux).');
  const level = bubblewrap !== null ? 2 : unshare !== null ? 1 : 0;
  return { level, bubblewrap, unshare, prlimit, notes };
}

async function tryBubblewrap(notes: string[]): Promise<string | null> {
  const program = await findExecutable('bwrap', SYSTEM_PATH, '/');
  if (program === null) {
    notes.push('bubblewrap is not installed (apt-get install bubblewrap).');
    return null;
  }
  const plan = { network: false, cwd: '/', system: systemPaths('', false), readOnly: [], writable: [], masks: [] };
  const failure = await trial([program, ...bubblewrapArguments({ ...plan, statusFd: 1 }), '/bin/true']);
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
