import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, expect } from 'vitest';
import { findMarked, workspaceMark } from '../../src/process/index.ts';
import { plantDatabase } from './databases.ts';

const CLADE = join(import.meta.dirname, '../../src/cli/clade.ts');
const COMPILED = join(process.env.CLADE_TEST_RUN ?? tmpdir(), 'compiled');

/** How a `clade` process ended. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A `clade` process, in a process group of its own like one that a shell started. */
export interface Clade {
  readonly pid: number;
  /** All that was printed so far. */
  readonly output: () => string;
  /** Resolves when the process has ended and its output is complete. */
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
  /** Like a key of a terminal: to the whole group. */
  press(name: NodeJS.Signals): void;
  /** Waits for text on stdout or stderr. @throws when the process ends without it. */
  says(pattern: RegExp): Promise<void>;
}

/** A temporary workspace with campaigns in it. */
export interface Workspace {
  readonly dir: string;
  /** Writes `campaigns/<name>/` with the given files (executable when they begin with `#!`); returns the folder. */
  campaign(name: string, files: Readonly<Record<string, string>>): Promise<string>;
  /** Starts `clade … --workspace <dir>`. */
  start(...args: string[]): Clade;
  /** Runs it to its end. */
  run(...args: string[]): Promise<Ended>;
  /** Runs it with `--json` and expects it to succeed. */
  ask<T>(...args: string[]): Promise<T>;
  /** The same workspace, served by another copy of Clade: `src/cli/clade.ts` of it. */
  by(program: string): Workspace;
}

/**
 * Gives tests workspaces. After each test the processes it started are ended, nobody may be left running that any of
 * them started, and the folders are removed.
 */
export function workspaces(): (
  env?: Readonly<Record<string, string>>,
  within?: readonly string[],
) => Promise<Workspace> {
  const folders: string[] = [];
  const running = new Set<Clade>();

  afterEach(async () => {
    for (const clade of running) {
      clade.signal('SIGKILL');
      await clade.ended;
    }
    const left = (await Promise.all(folders.map(leftovers))).flat();
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    for (const dir of folders.splice(0)) await removeFolder(dir);
    expect(left).toEqual([]);
  });

  return async (env = {}, within = []) => {
    const dir = await realpath(await mkdtemp(join(tmpdir(), 'clade-e2e-')));
    folders.push(dir);
    if (env.CLADE_DATABASE_URL === undefined) await plantDatabase(dir);
    const servedBy = (program: string): Workspace => {
      const start = (...args: string[]): Clade => {
        const clade = startClade(dir, [program, ...args], env, within);
        running.add(clade);
        void clade.ended.then(() => running.delete(clade));
        return clade;
      };
      return {
        dir,
        start,
        run: (...args) => start(...args).ended,
        by: servedBy,
        async campaign(name, files) {
          const folder = join(dir, 'campaigns', name);
          await writeFiles(folder, files);
          return folder;
        },
        async ask(...args) {
          const { code, stdout, stderr } = await start(...args, '--json').ended;
          expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' });
          return JSON.parse(stdout);
        },
      };
    };
    return servedBy(CLADE);
  };
}

/**
 * @param args the program and what it is told
 * @param within a command that becomes the one which follows it, elsewhere
 */
function startClade(
  dir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  within: readonly string[],
): Clade {
  const [command = '', ...argv] = [...within, process.execPath, ...args, '--workspace', dir];
  const child = spawn(command, argv, {
    cwd: dir,
    // Hundreds of starts read the same sources.
    env: { PATH: process.env.PATH, HOME: dir, TMPDIR: process.env.TMPDIR, NODE_COMPILE_CACHE: COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
    });
  }
  const pid = child.pid ?? 0;
  const output = (): string => said.stdout + said.stderr;
  const ended = once(child, 'close').then((): Ended => ({ code: child.exitCode, ...said }));
  return {
    pid,
    output,
    ended,
    signal: (name) => void child.kill(name),
    press: (name) => void process.kill(-pid, name),
    async says(pattern) {
      const over = ended.then(() => true);
      while (!pattern.test(output())) {
        if (await Promise.race([over, sleep(10, false)])) {
          if (pattern.test(output())) return;
          throw new Error(`clade ended (${child.exitCode}) without saying ${pattern}:\n${output()}`);
        }
      }
    },
  };
}

export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    if (text.startsWith('#!')) await chmod(file, 0o755);
  }
}

interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/**
 * Who still works for a workspace: marked children, and whoever else lives in its folder or was told of it. A Git of a killed
 * process may take a moment to notice.
 */
async function leftovers(dir: string): Promise<Leftover[]> {
  for (let round = 0; ; round += 1) {
    const marked = new Set(findMarked(workspaceMark(dir)));
    const left = (await listProcesses()).filter(
      ({ pid, command, cwd }) => marked.has(pid) || command.includes(dir) || `${cwd}/`.startsWith(`${dir}/`),
    );
    if (left.length === 0 || round === 50) return left.map(({ pid, command }) => ({ pid, command }));
    await sleep(100);
  }
}

export interface RunningProcess {
  readonly pid: number;
  readonly group: number;
  readonly command: string;
  readonly cwd: string;
}

/** All processes of this machine that we may look at, but for ourselves. */
export async function listProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const found = await Promise.all(pids.map((pid) => readProcess(Number(pid)).catch(() => null)));
  return found.filter((one) => one !== null);
}

/** @throws when it has ended or belongs to somebody else. */
async function readProcess(pid: number): Promise<RunningProcess> {
  const at = `/proc/${pid}`;
  const [stat, command, cwd] = await Promise.all([
    readFile(`${at}/stat`, 'utf8'),
    readFile(`${at}/cmdline`, 'utf8'),
    readlink(`${at}/cwd`),
  ]);
  // proc(5): state, parent and group follow the name, which is in parentheses and may hold anything.
  const group = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
  return { pid, group, command: command.replaceAll('\0', ' '), cwd };
}

/** Pinned evaluators are read-only folders, which only root could remove as they are. */
async function removeFolder(dir: string): Promise<void> {
  await promisify(execFile)('chmod', ['-R', 'u+rwX', dir]);
  await rm(dir, { recursive: true });
}

/** Expects that a run came to its end and had nothing but warnings to say on stderr. */
export function expectDone({ code, stderr }: Ended): void {
  const complaints = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('warning: '));
  expect({ code, complaints }).toEqual({ code: 0, complaints: [] });
}

/** Waits until `read` gives something that `done` accepts, and returns it. Deadlines are the test's own. */
export async function until<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (done(value)) return value;
    await sleep(50);
  }
}

/** A file of test/fixtures. */
export const fixture = (path: string): Promise<string> =>
  readFile(join(import.meta.dirname, '../fixtures', path), 'utf8');
