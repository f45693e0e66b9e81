import { Readable } from 'node:stream';
import { execa } from 'execa';
import type { Exit } from './end.ts';
import { MARK_VARIABLE } from './mark.ts';
import type { RunEnd, RunRequest } from './request.ts';
import { type Fence, STATUS_FD } from './sandbox.ts';

type Sink = ((chunk: Uint8Array) => void) | undefined;

/** Where the output goes, piece by piece. */
export interface Sinks {
  readonly stdout: readonly Sink[];
  readonly stderr: readonly Sink[];
  readonly status: readonly Sink[];
}

/** A started child: its events as promises, none of which rejects. */
export interface Child {
  /** Leader of its own session and process group; null when it could not be started. */
  readonly pid: number | null;
  readonly failure: Promise<RunEnd>;
  readonly exited: Promise<Exit>;
  /** All pipes closed by everybody who held them. */
  readonly drained: Promise<void>;
  /** Lets go of the pipes. */
  release(): void;
}

/**
 * Spawns with nothing inherited, in a session of its own. Execa's own result is not waited for: it comes when the pipes
 * close, and a grandchild may hold them for ever.
 */
export function spawnChild(request: RunRequest, fence: Fence, mark: string, sinks: Sinks): Child {
  const [file, ...options] = fence.argv;
  const child = execa(file, options, {
    cwd: request.cwd,
    env: { ...request.env, [MARK_VARIABLE]: mark },
    extendEnv: false,
    detached: true,
    cleanup: false,
    reject: false,
    buffer: false,
    ...(request.stdin === undefined ? {} : { input: request.stdin }),
    stdio: [
      request.stdin === undefined ? 'ignore' : 'pipe',
      'pipe',
      'pipe',
      fence.statusFd === null ? 'ignore' : 'pipe',
    ],
  });
  const node = child.nodeChildProcess;
  const pipes = [node.stdout, node.stderr, node.stdio[STATUS_FD]].filter((pipe) => pipe instanceof Readable);
  for (const [index, name] of (['stdout', 'stderr', 'status'] as const).entries()) {
    for (const sink of sinks[name]) if (sink !== undefined) pipes[index]?.on('data', sink);
  }
  return {
    pid: node.pid ?? null,
    failure: child.then(({ originalMessage, code }) => ({
      kind: 'spawn-failed',
      message: originalMessage ?? code ?? 'could not be started',
    })),
    exited: new Promise((resolve) => node.once('exit', (code, signal) => resolve({ code, signal }))),
    drained: Promise.all(pipes.map(closed)).then(() => {}),
    release() {
      node.stdin?.destroy();
      for (const pipe of pipes) pipe.destroy();
    },
  };
}

function closed(pipe: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (pipe.closed) resolve();
    pipe.once('close', resolve);
  });
}
