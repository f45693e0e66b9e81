import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countInstructions, infrastructure, invalid, timeCommand } from 'clade/evaluator';
import type { Settings, Workload } from './settings.ts';

export interface Counts {
  readonly root: number;
  readonly candidate: number;
}

interface Outcome {
  readonly instructions: number;
  /** What the command and its check printed. */
  readonly printed: readonly string[];
  /** Why it does not count; null when it does. */
  readonly failure: string | null;
  readonly evidence: string;
}

/**
 * Counts the instructions of one workload in both checkouts.
 *
 * @throws Refusal `benchmark` when it fails for the candidate, `gate` when it gives something else than for the root; MachineFault
 * when it fails for the root
 */
export async function countBoth(workload: Workload, settings: Settings, rootDir: string): Promise<Counts> {
  const root = await countOne(workload, settings, rootDir);
  if (root.failure !== null) infrastructure(`${workload.name}: ${root.failure} for the root: ${root.evidence}`);
  const candidate = await countOne(workload, settings, process.cwd());
  if (candidate.failure !== null) invalid('benchmark', `${workload.name}: ${candidate.failure}`, candidate.evidence);
  const at = root.printed.findIndex((text, i) => text !== candidate.printed[i]);
  if (at >= 0) {
    const shown = (text = ''): string => JSON.stringify(text.slice(0, 300));
    const evidence = `expected: ${shown(root.printed[at])}\nactual:   ${shown(candidate.printed[at])}\n`;
    invalid('gate', `${workload.name} gives something else than for the root`, evidence);
  }
  return { root: root.instructions, candidate: candidate.instructions };
}

async function countOne({ name, before, command, check }: Workload, settings: Settings, cwd: string): Promise<Outcome> {
  const out = await mkdtemp(join(tmpdir(), 'clade-out-'));
  const env = { ...process.env, CLADE_RESULT: undefined, OUT: out };
  try {
    const { timeoutMs, tool } = settings;
    if (before !== null) {
      const made = await timeCommand(before, { cwd, env, timeoutMs });
      const failed = failureOf(made, before);
      if (failed !== null) infrastructure(`the input of ${name} is not there: ${failed}: ${made.stderr}`);
    }
    const run = await countInstructions(command, { cwd, env, timeoutMs, tool });
    const { instructions, stdout } = run;
    const failure = failureOf(run, command);
    if (failure !== null || check === null) return { instructions, printed: [stdout], failure, evidence: run.stderr };
    const checked = await timeCommand(check, { cwd, env, timeoutMs });
    return {
      instructions,
      printed: [stdout, checked.stdout],
      failure: failureOf(checked, check),
      evidence: checked.stderr,
    };
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

function failureOf(
  run: { exitCode: number | null; signal: string | null; timedOut: boolean },
  command: readonly string[],
): string | null {
  if (run.exitCode === 0) return null;
  const how = run.timedOut ? 'was not done in time' : `ended with ${run.signal ?? `exit code ${run.exitCode}`}`;
  return `${command.join(' ')} ${how}`;
}
