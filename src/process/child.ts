import { type Launched, launch, type Take } from './launch.ts';
import { MARK_VARIABLE } from './mark.ts';
import type { RunRequest } from './request.ts';
import type { Fence } from './sandbox.ts';

type Sink = ((chunk: Uint8Array) => void | Promise<void>) | undefined;

/** Where the output goes, piece by piece. */
export interface Sinks {
  readonly stdout: readonly Sink[];
  readonly stderr: readonly Sink[];
  readonly status: readonly Sink[];
}

/** Starts what the fence says with nothing inherited, as the leader of its own session and process group. */
export function spawnChild(request: RunRequest, fence: Fence, mark: string, sinks: Sinks): Promise<Launched> {
  const [file, ...argv] = fence.argv;
  const all =
    (list: readonly Sink[]): Take =>
    async (chunk) => {
      for (const sink of list) await sink?.(chunk);
    };
  return launch(
    {
      file,
      argv,
      cwd: request.cwd,
      env: { ...request.env, [MARK_VARIABLE]: mark },
      detached: true,
      ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
      ...(request.onStdin === undefined ? {} : { talks: true }),
      outputs: fence.statusFd === null ? 2 : 3,
    },
    [all(sinks.stdout), all(sinks.stderr), all(sinks.status)],
  );
}
