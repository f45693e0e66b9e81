import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { StartError } from './refusal.ts';

export interface CommandOptions {
  /** Where it runs. A relative program (`./tool`) is found from here. */
  readonly cwd: string;
  /** Its whole environment; without it, ours but CLADE_RESULT: what is measured has no business with the result. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array;
  /** After this the command and its group are killed. */
  readonly timeoutMs?: number;
}

export interface Finished {
  /** null when a signal or the deadline ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** At most the last 16 MiB of each. */
  readonly stdout: string;
  readonly stderr: string;
  /** What it wrote to its file descriptor 3. */
  readonly report: string;
  readonly wallMs: number;
}

const KEPT_BYTES = 16 * 2 ** 20;
/** Leftovers of a command that has ended may hold its pipes open for ever; this is how long we wait for them. */
const GRACE_MS = 500;

/**
 * Runs a command in a process group of its own, to its end or the deadline's. Nothing of the group is left.
 *
 * @throws StartError when it cannot be started
 */
export async function runCommand(argv: readonly string[], options: CommandOptions): Promise<Finished> {
  const [program = '', ...rest] = argv;
  const started = process.hrtime.bigint();
  const child = spawn(program, rest, {
    cwd: options.cwd,
    env: { ...(options.env ?? { ...process.env, CLADE_RESULT: undefined }) },
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const streams = [1, 2, 3].map((fd) => collect(child, fd));
  // A command that does not read its input is not at fault for that.
  child.stdin?.on('error', () => {});
  child.stdin?.end(options.stdin ?? '');

  let timedOut = false;
  const deadline = new AbortController();
  const overdue = (): void => {
    timedOut = true;
    killGroup(child);
  };
  if (options.timeoutMs !== undefined) {
    // Aborted when the command ends first.
    setTimeout(options.timeoutMs, null, { signal: deadline.signal }).then(overdue, () => {});
  }
  const { promise, resolve, reject } = Promise.withResolvers<[number | null, NodeJS.Signals | null]>();
  child.once('error', reject).once('exit', (code, signal) => resolve([code, signal]));
  try {
    const [exitCode, signal] = await promise;
    const wallMs = Number(process.hrtime.bigint() - started) / 1e6;
    const closed = Promise.all(streams.map((stream) => stream.closed));
    await Promise.race([closed, setTimeout(GRACE_MS, null, { signal: deadline.signal, ref: false })]);
    const [stdout = '', stderr = '', report = ''] = streams.map((stream) => stream.text());
    return { exitCode, signal, timedOut, stdout, stderr, report, wallMs };
  } catch (cause) {
    throw new StartError(`cannot start ${program} in ${options.cwd}`, { cause });
  } finally {
    deadline.abort();
    killGroup(child);
    for (const stream of child.stdio) stream?.destroy();
  }
}

function collect(child: ChildProcess, fd: number): { closed: Promise<void>; text: () => string } {
  const stream = child.stdio[fd];
  const chunks: Buffer[] = [];
  let bytes = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  stream?.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    while (bytes - (chunks[0]?.length ?? 0) >= KEPT_BYTES) bytes -= chunks.shift()?.length ?? 0;
  });
  // A stream that was destroyed under the reader has nothing more to give.
  stream?.once('error', () => resolve()).once('close', () => resolve());
  return { closed: promise, text: () => Buffer.concat(chunks).toString('utf8') };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    // The group is gone: that is what we want.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
