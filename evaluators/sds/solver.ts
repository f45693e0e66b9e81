import { realpathSync } from 'node:fs';
import { type TimedRun, timeCommand } from 'clade/evaluator';
import { type Instance, violations, worthOf } from './instance.ts';

/** For a solver that waits instead of working. */
const WALL_MS_PER_CPU_SECOND = 5_000;
const SHOWN = 1_500;

/**
 * What came of one run of the solver. `format`: its last line is no JSON of the form {"items": […]}; `exec`: it ended with an
 * error, `late`: it used more than its time; `infeasible`: a constraint is violated.
 */
export type Answer =
  | {
      readonly kind: 'feasible';
      readonly items: readonly number[];
      readonly value: number;
      readonly cpuMs: number | null;
    }
  | { readonly kind: 'format' | 'exec' | 'late' | 'infeasible'; readonly detail: string };

/**
 * Runs the solver on one instance, in a process of its own: nothing is carried from one instance to the next. Its input is one
 * line of JSON, the instance and a seed; its environment has PATH and nothing else. A solver that is `node FILE` runs under
 * Node's permission model: it reads the checkout, and writes and starts nothing.
 *
 * @param cpuSeconds enforced by the kernel; wall time is limited to five times as much
 */
export async function solve(
  instance: Instance,
  command: readonly string[],
  checkout: string,
  cpuSeconds: number,
): Promise<Answer> {
  const argv = ['/bin/sh', '-c', `ulimit -t ${cpuSeconds} && exec "$@"`, 'sh', ...guarded(command, checkout)];
  const run = await timeCommand(argv, {
    cwd: checkout,
    env: { PATH: process.env.PATH },
    stdin: `${JSON.stringify({ ...instance, seed: seedOf(instance), cpuSeconds })}\n`,
    timeoutMs: WALL_MS_PER_CPU_SECOND * cpuSeconds,
  });
  if (run.exitCode !== 0) return failed(run, cpuSeconds);
  const items = readItems(run.stdout);
  if (items === null)
    return { kind: 'format', detail: `the last line is not {"items": [numbers]}: ${tail(run.stdout)}` };
  const wrong = violations(instance, items);
  if (wrong.length > 0) return { kind: 'infeasible', detail: wrong.slice(0, 5).join('\n') };
  const cpuMs = run.userMs === null || run.systemMs === null ? null : run.userMs + run.systemMs;
  return { kind: 'feasible', items: items.toSorted((a, b) => a - b), value: worthOf(instance, items), cpuMs };
}

function guarded([program = '', ...rest]: readonly string[], checkout: string): string[] {
  if (program !== 'node') return [program, ...rest];
  const folder = realpathSync(checkout);
  return [process.execPath, '--permission', `--allow-fs-read=${folder}`, '--no-warnings', ...rest];
}

/** A number of its own for each instance, always the same. */
function seedOf({ n, pairs, weights }: Instance): number {
  return weights.reduce((sum, weight) => (Math.imul(sum, 31) + weight) >>> 0, n * 1009 + pairs.length);
}

function failed(run: TimedRun, cpuSeconds: number): Answer {
  // The kernel ends a process at its limit with SIGXCPU, or with SIGKILL where that is ignored; sh gives 128 + the number.
  const overdue =
    run.timedOut || ['SIGXCPU', 'SIGKILL'].includes(run.signal ?? '') || [152, 137].includes(run.exitCode ?? 0);
  if (overdue) return { kind: 'late', detail: `it used more than ${cpuSeconds} s of processor time` };
  return { kind: 'exec', detail: `it ended with ${run.signal ?? `exit code ${run.exitCode}`}\n${tail(run.stderr)}` };
}

function readItems(stdout: string): number[] | null {
  try {
    const answer: unknown = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    const items = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : null;
    return Array.isArray(items) && items.every((item) => typeof item === 'number') ? items : null;
  } catch {
    // Whatever it printed is no answer; the caller shows it.
    return null;
  }
}

function tail(text: string): string {
  return text.trim().slice(-SHOWN);
}
