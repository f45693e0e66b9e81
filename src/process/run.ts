import { findExecutable } from './executable.ts';
import { type Isolation, probeIsolation } from './isolation.ts';
import type { RunRequest, RunResult } from './request.ts';
import { fence } from './sandbox.ts';
import { supervise } from './supervise.ts';

/**
 * Runs one child and owns its life: when this returns, no process of it is left (see `sweepRun` for level 0).
 *
 * The end is in the result, whatever it was; `isolation` (default: probed) is what the machine can fence.
 *
 * @throws InfrastructureError when a sandbox is required and missing, when the log cannot be written, or when the disk ran
 * full and this run is not to blame.
 */
export async function run(request: RunRequest, isolation?: Isolation): Promise<RunResult> {
  const means = isolation ?? (await probeIsolation());
  const [command, ...rest] = request.argv;
  // Looked up here because a guard or a sandbox around it would turn "not found" into an ordinary exit code.
  const program = await findExecutable(command, request.env.PATH ?? '', request.cwd);
  if (program === null) return failed(`${command}: not found or not executable`);
  if (request.signal?.aborted) return { ...failed(''), end: { kind: 'cancelled' } };
  const argv = [program, ...rest] as const;
  return supervise(request, await fence({ ...request, argv: [...argv] }, means));
}

function failed(message: string): RunResult {
  const nothing = { text: '', bytes: 0, truncated: false };
  return {
    end: { kind: 'spawn-failed', message },
    stdout: nothing,
    stderr: nothing,
    durationMs: 0,
    isolation: 0,
    peakMemoryBytes: null,
    notes: [],
  };
}
