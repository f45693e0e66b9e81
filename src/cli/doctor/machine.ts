import { execFile } from 'node:child_process';
import { access, constants, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { cpus, freemem, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Finding } from '../../pipeline/index.ts';
import { allowedCpus, findExecutable, machineLabel, probeIsolation } from '../../process/index.ts';

/** As `engines` of package.json has it. */
const LEAST_NODE = [22, 18] as const;
const GIB = 2 ** 30;
/** Checkouts, results and the database all grow. */
const LEAST_DISK_BYTES = 1 * GIB;
/** A checkout of a large repository has as many files. */
const LEAST_INODES = 100_000;
const LEAST_MEMORY_BYTES = 1 * GIB;
/** Connections, pipes of children and files of the embedded database. */
const LEAST_OPEN_FILES = 1024;

/** Looks at what every command of Clade needs of the machine. */
export async function inspectMachine(workspace: string): Promise<Finding[]> {
  return [
    nodeFinding(process.versions.node),
    await programFinding('git', ['--version'], 'install Git: candidates are its commits'),
    await programFinding('tar', ['--version'], 'install tar: an evaluator is taken to other machines with it'),
    await isolation(),
    await disk(workspace),
    memory(),
    await temporaryFolder(),
    await openFiles(),
    await pinning(),
    locale(process.env),
    { subject: 'label', verdict: 'fine', text: `${machineLabel()}: what this machine measures like (CLADE_LABEL)` },
  ];
}

/** @param version such as `24.1.0` */
export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = LEAST_NODE;
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) {
    return { subject: 'node', verdict: 'fine', text: version };
  }
  return { subject: 'node', verdict: 'problem', text: `${version}; install Node ${LEAST_NODE.join('.')} or later` };
}

/** Whether a program is on the PATH and starts, with the first line that it says. */
export async function programFinding(name: string, argv: readonly string[], advice: string): Promise<Finding> {
  const file = await findExecutable(name, process.env.PATH ?? '', '/');
  if (file === null) return { subject: name, verdict: 'problem', text: `is not on the PATH; ${advice}` };
  try {
    const { stdout } = await promisify(execFile)(file, [...argv], { timeout: 10_000 });
    return { subject: name, verdict: 'fine', text: `${stdout.split('\n')[0] ?? ''} (${file})` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { subject: name, verdict: 'problem', text: `${file} does not start: ${why}; ${advice}` };
  }
}

async function isolation(): Promise<Finding> {
  const { level, notes } = await probeIsolation();
  const text = [`isolation level ${level} of 3`, ...notes].join('; ');
  return { subject: 'sandbox', verdict: level >= 2 ? 'fine' : 'warning', text };
}

async function disk(workspace: string): Promise<Finding> {
  const { bavail, bsize, files, ffree } = await statfs(workspace);
  const inodes = files === 0 ? 'no count of inodes' : `${ffree} inodes`;
  const text = `${(bavail * bsize) / GIB < 0.1 ? '< 0.1' : ((bavail * bsize) / GIB).toFixed(1)} GiB and ${inodes} free in ${workspace}`;
  if (bavail * bsize < LEAST_DISK_BYTES) return { subject: 'disk', verdict: 'problem', text: `${text}; free 1 GiB` };
  if (files > 0 && ffree < LEAST_INODES) {
    return {
      subject: 'disk',
      verdict: 'warning',
      text: `${text}; remove files, or use a file system with more inodes`,
    };
  }
  return { subject: 'disk', verdict: 'fine', text };
}

function memory(): Finding {
  const free = freemem();
  const text = `${(free / GIB).toFixed(1)} of ${(totalmem() / GIB).toFixed(1)} GiB free`;
  if (free >= LEAST_MEMORY_BYTES) return { subject: 'memory', verdict: 'fine', text };
  return { subject: 'memory', verdict: 'warning', text: `${text}; end other programs, or lower limits.memory` };
}

async function temporaryFolder(): Promise<Finding> {
  const folder = tmpdir();
  try {
    const made = await mkdtemp(join(folder, 'clade-doctor-'));
    await rm(made, { recursive: true });
    return { subject: 'tmp', verdict: 'fine', text: `${folder} can be written` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { subject: 'tmp', verdict: 'problem', text: `${why}; mend ${folder} or set TMPDIR` };
  }
}

async function openFiles(): Promise<Finding> {
  // Where there is no /proc nothing is known, and nothing is said.
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  if (soft === undefined) return { subject: 'ulimit', verdict: 'fine', text: 'no limit of open files is known' };
  const text = `${soft} open files`;
  if (Number(soft) >= LEAST_OPEN_FILES) return { subject: 'ulimit', verdict: 'fine', text };
  return {
    subject: 'ulimit',
    verdict: 'warning',
    text: `${text}; raise it: ulimit -n 8192, or LimitNOFILE of systemd`,
  };
}

async function pinning(): Promise<Finding> {
  const allowed = await allowedCpus().catch(() => []);
  const text = `${allowed.length === 0 ? cpus().length : allowed.length} CPUs may be used`;
  const taskset = await findExecutable('taskset', process.env.PATH ?? '', '/');
  if (taskset !== null && allowed.length > 0)
    return { subject: 'cpu', verdict: 'fine', text: `${text}, and pinned to` };
  const advice = 'evaluator.cpus cannot be used: taskset is missing (package util-linux) or the system does not say';
  return { subject: 'cpu', verdict: 'warning', text: `${text}; ${advice}` };
}

/** Git and evaluators read and write names in the encoding of the environment. */
export function locale(environment: Readonly<Record<string, string | undefined>>): Finding {
  const { LC_ALL, LC_CTYPE, LANG } = environment;
  const said = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? 'none';
  if (/utf-?8/i.test(said)) return { subject: 'locale', verdict: 'fine', text: said };
  return { subject: 'locale', verdict: 'warning', text: `${said}; set LANG=C.UTF-8 if names of files are not ASCII` };
}

/** Whether a folder can be written, as a finding. */
export async function writable(subject: string, folder: string, advice: string): Promise<Finding> {
  try {
    await access(folder, constants.W_OK);
    return { subject, verdict: 'fine', text: `${folder} can be written` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { subject, verdict: 'problem', text: `${why}; ${advice}` };
  }
}
