import { join } from 'node:path';
import { infrastructure, invalid } from 'clade/evaluator';
import { type Python, runPython } from './python.ts';

const DRIVER = join(import.meta.dirname, 'driver.py');

type Report =
  | { readonly ok: unknown }
  | {
      readonly error: 'build' | 'test' | 'gate' | 'scope';
      readonly who: 'root' | 'candidate';
      readonly detail: string;
    };

export interface Request {
  readonly do: 'answers' | 'round';
  readonly package: string;
  /** Absolute: the folders that hold the package. */
  readonly root: string;
  readonly candidate: string;
  /** Absolute path of the campaign's benchmark. */
  readonly benchmark: string;
  readonly seed: number;
  readonly [more: string]: unknown;
}

/**
 * Asks the driver, in a process of its own.
 *
 * @throws Refusal when the candidate fails, hangs or ends the process; MachineFault when the root does
 */
export async function ask(python: Python, request: Request, seconds: number, hashSeed = 0): Promise<unknown> {
  const run = await runPython(python, ['-s', DRIVER, JSON.stringify(request)], { cwd: '/', seconds, hashSeed });
  const ofRoot = request.who === 'root';
  if (run.timedOut) {
    const summary = `${request.do} was not done within ${seconds} s`;
    return ofRoot ? infrastructure(`the root: ${summary}`) : invalid('benchmark', summary);
  }
  const report = reportOf(run.stdout);
  if (report === null) {
    const summary = `Python ended with ${run.signal ?? run.exitCode} and no report`;
    return ofRoot
      ? infrastructure(`the root: ${summary}\n${run.stderr}`)
      : invalid('test', summary, run.stderr.slice(-3000));
  }
  if ('ok' in report) return report.ok;
  const { error, who, detail } = report;
  if (who === 'root') infrastructure(`the root fails: ${detail}`);
  const last = detail.trim().split('\n').at(-1) ?? '';
  return invalid(error, `${error === 'build' ? 'it cannot be imported' : 'it fails'}: ${last}`, detail);
}

function reportOf(stdout: string): Report | null {
  const line = stdout.trim().split('\n').at(-1) ?? '';
  try {
    return JSON.parse(line);
  } catch {
    // A process that ended early has left no report, or half of one; the caller says so.
    return null;
  }
}
