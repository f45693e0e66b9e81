import { constants } from 'node:os';
import { findPython, PYTHON_FLAGS, TIME_PROGRAM } from './python.ts';
import { MachineFault, StartError } from './refusal.ts';
import { type CommandOptions, type Finished, runCommand } from './spawn.ts';

export type { CommandOptions } from './spawn.ts';

/** One run of a command, with all processes that it waited for. */
export interface TimedRun {
  /** From before its start to after its end, by a monotonic clock. */
  readonly wallMs: number;
  /** Processor time by the kernel's account; null without `python3`, through which it is read. */
  readonly userMs: number | null;
  readonly systemMs: number | null;
  /**
   * The largest resident set of any one of its processes. null when it is not known: without `python3`, or when it is not above what
   * the process that starts the command has itself (8 MiB), which the kernel counts as the command's. `peakMemory` sees less.
   */
  readonly maxRssBytes: number | null;
  /** null when a signal or the deadline ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  /** At most the last 16 MiB of each. */
  readonly stdout: string;
  readonly stderr: string;
}

interface Report {
  readonly wallNs: number;
  readonly userSeconds: number;
  readonly systemSeconds: number;
  readonly peakBytes: number | null;
  readonly exitCode: number | null;
  readonly signal: number | null;
}

/**
 * Runs a command once and measures it. A failing command is no error here: look at `exitCode`.
 *
 * @throws StartError when it cannot be started
 */
export async function timeCommand(argv: readonly string[], options: CommandOptions): Promise<TimedRun> {
  const python = await findPython();
  if (python === null) return withoutAccount(await runCommand(argv, options));
  const finished = await runCommand([python, ...PYTHON_FLAGS, TIME_PROGRAM, ...argv], options);
  // At the deadline the reporter is killed with the command.
  if (finished.timedOut) return withoutAccount(finished);
  const report = reportOf(finished, argv);
  return {
    ...withoutAccount(finished),
    wallMs: report.wallNs / 1e6,
    userMs: report.userSeconds * 1000,
    systemMs: report.systemSeconds * 1000,
    maxRssBytes: report.peakBytes,
    exitCode: report.exitCode,
    signal: signalName(report.signal),
  };
}

function withoutAccount({ report: _, ...finished }: Finished): TimedRun {
  return { ...finished, userMs: null, systemMs: null, maxRssBytes: null };
}

function reportOf(finished: Finished, argv: readonly string[]): Report {
  const why = finished.signal ?? finished.stderr.trim();
  if (finished.report === '') throw new MachineFault(`the measurement of ${argv[0]} ended without a report: ${why}`);
  // A command that did not start reports itself, on a line before that of its parent.
  const report: Report | { readonly error: string } = JSON.parse(finished.report.split('\n')[0] ?? '');
  if ('error' in report) throw new StartError(`cannot start ${argv[0]}: ${report.error}`);
  return report;
}

function signalName(number: number | null): NodeJS.Signals | null {
  const names = Object.entries(constants.signals) as [NodeJS.Signals, number][];
  return names.find(([, value]) => value === number)?.[0] ?? null;
}
