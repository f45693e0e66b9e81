import { setTimeout as sleep } from 'node:timers/promises';
import { InfrastructureError } from '../errors.ts';
import { type Capture, createCapture } from './capture.ts';
import { firstCause, waitAtMost } from './cause.ts';
import type { LeafReport } from './cgroup/leaf.ts';
import { spawnChild } from './child.ts';
import { endOf } from './end.ts';
import type { Launched } from './launch.ts';
import { inMebibytes } from './limit/amount.ts';
import { fullDisk } from './limit/full.ts';
import { NO_LIMITS } from './limit/limits.ts';
import { createWatchdog, type Excess, type Watchdog } from './limit/watch.ts';
import { openLog } from './log-file.ts';
import { createMark } from './mark.ts';
import { processStart } from './proc.ts';
import type { RunEnd, RunRequest, RunResult } from './request.ts';
import type { Fence } from './sandbox.ts';
import { parseStatus } from './status.ts';
import { signal, sweepRun } from './sweep.ts';

const GRACE_MS = 5_000;
const LOG_BYTES = 16 * 2 ** 20;
const CAPTURE = { headBytes: 64 * 2 ** 10, tailBytes: 64 * 2 ** 10 };
const STATUS_BYTES = 4096;
const POLL_MS = 2;
const MAX_TEARDOWN_MS = 2_000;
/** What was written before the end is still read when the grace is shorter. */
const MIN_DRAIN_MS = 100;
/** Nobody is left who could hold the pipes of a fence; on a loaded machine what bubblewrap reported still takes a while to come. */
const FENCED_DRAIN_MS = 10_000;

/**
 * Starts what the fence says, and returns when it and all that it started are gone.
 * @throws InfrastructureError when the disk is full, or when the log cannot be written.
 */
export async function supervise(request: RunRequest, fence: Fence): Promise<RunResult> {
  const { headBytes, tailBytes } = request.capture ?? CAPTURE;
  const [stdout, stderr] = [createCapture(headBytes, tailBytes), createCapture(headBytes, tailBytes)];
  const status = createCapture(STATUS_BYTES, 0);
  const log = request.logFile === undefined ? null : openLog(request.logFile, request.logBytes ?? LOG_BYTES);
  const mark = createMark();
  const watchdog = await watchdogFor(request, fence);
  const started = performance.now();
  let report: LeafReport | undefined;
  let end: RunEnd;
  let durationMs: number;
  try {
    const child = await spawnChild(request, fence, mark, {
      stdout: [(chunk) => stdout.push(chunk), log?.write, request.onStdout],
      stderr: [(chunk) => stderr.push(chunk), log?.write],
      status: [(chunk) => status.push(chunk)],
    });
    if (child.pid !== null) request.onStdin?.(child.input);
    end = child.pid === null ? { kind: 'spawn-failed', message: child.failure } : await outlive(child, child.pid);
    durationMs = performance.now() - started;
  } finally {
    await watchdog.stop();
    report = await fence.leaf?.close();
    log?.close();
  }
  const full = await fullDisk(request.sandbox?.writable ?? []);
  if (full !== null && !(end.kind === 'cancelled' || end.kind === 'limit')) {
    throw new InfrastructureError(full, { hint: 'free some space; it is tried again' });
  }
  const seen = watchdog.seen();
  return {
    end: report?.outOfMemory ? outOfMemory(request) : end,
    stdout: stdout.read(),
    stderr: stderr.read(),
    durationMs,
    isolation: fence.level,
    peakMemoryBytes: report?.peakBytes ?? seen.peakMemoryBytes,
    notes: [...fence.notes, ...seen.notes],
  };

  async function outlive(child: Launched, pid: number): Promise<RunEnd> {
    const graceMs = request.graceMs ?? GRACE_MS;
    const exceeded = watchdog.watch({ leader: pid, mark: fence.level === 0 ? mark : null });
    const cause = await firstCause(child.exited, request.timeoutMs, request.signal, exceeded);
    if (cause === 'timeout' || cause === 'cancelled') {
      askToEnd(pid, fence, status);
      await waitAtMost(child.exited, graceMs);
    }
    // The group is never empty of our own: the leader cannot leave it, and after its death this hits what it left behind.
    signal(-pid, 'SIGKILL');
    const exit = await child.exited;
    if (fence.statusFd === null) await sweepRun(mark);
    // Nobody should hold the pipes any more. Somebody who hid from the sweep must not hold us.
    await waitAtMost(child.drained, Math.max(graceMs, fence.statusFd === null ? MIN_DRAIN_MS : FENCED_DRAIN_MS));
    child.release();
    const report = fence.statusFd === null ? null : parseStatus(status.read().text);
    if (report !== null && !(await gone(report.init))) await sweepRun(mark);
    if (cause === 'timeout' || cause === 'cancelled') return { kind: cause };
    if (cause !== 'exited') return endOfExcess(cause);
    const own = endOf(exit, fence.encodesSignals);
    return report !== null && own.kind === 'exit' && !report.reported ? notStarted(stderr) : own;
  }
}

/** At level 3 the kernel keeps the limit of memory. */
function watchdogFor({ sandbox }: RunRequest, { level }: Fence): Promise<Watchdog> {
  const { memoryBytes, diskBytes } = sandbox?.limits ?? NO_LIMITS;
  const limits = { memoryBytes: level === 3 ? null : memoryBytes, diskBytes };
  return createWatchdog({ limits, folders: sandbox?.writable ?? [], privateTmp: level >= 2 });
}

/** @throws InfrastructureError when it is the disk that is full. */
function endOfExcess({ limit, message }: Excess): RunEnd {
  if (limit !== 'full') return { kind: 'limit', limit, message };
  throw new InfrastructureError(`the disk is nearly full: ${message}`, {
    hint: 'free some space, or lower limits.disk',
  });
}

function outOfMemory({ sandbox }: RunRequest): RunEnd {
  const bytes = sandbox?.limits?.memoryBytes ?? 0;
  return { kind: 'limit', limit: 'memory', message: `memory limit of ${inMebibytes(bytes)} exceeded` };
}

/** TERM to the command's own group: bubblewrap itself would die of it and take the fence down before the command can tidy up. */
function askToEnd(leader: number, fence: Fence, status: Capture): void {
  const init = fence.statusFd === null ? null : parseStatus(status.read().text).init;
  signal(-(init ?? leader), 'SIGTERM');
}

/** The kernel ends a pid namespace with its first process; a moment passes until the last of its processes is gone. */
async function gone(init: number | null): Promise<boolean> {
  for (let waitedMs = 0; init !== null && waitedMs < MAX_TEARDOWN_MS; waitedMs += POLL_MS) {
    if (processStart(init) === null) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Bubblewrap exits with 1 when a path to bind is missing; that is not the command's exit code. */
function notStarted(stderr: Capture): RunEnd {
  return { kind: 'spawn-failed', message: stderr.read().text.trim() };
}
