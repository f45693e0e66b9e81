import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CommandComparison,
  infrastructure,
  invalid,
  pairCommands,
  type TimedRun,
  timeCommand,
} from 'clade/evaluator';
import type { Settings, Workload } from './settings.ts';

const SHOWN_CHARACTERS = 300;

/**
 * Measures one workload, paired against the root. After every pair of runs, those of the warm-up included, what they printed and
 * what the check prints of their folders must be equal.
 *
 * @throws Refusal `benchmark` when it fails for the candidate, `gate` when it gives something else than for the root; MachineFault
 * when it fails for the root, or is too short to be measured
 */
export async function measureWorkload(
  workload: Workload,
  settings: Settings,
  rootDir: string,
): Promise<CommandComparison> {
  const { name, before, command, check } = workload;
  const { timeoutMs, minimumMs } = settings;
  const outs = {
    root: await mkdtemp(join(tmpdir(), 'clade-out-')),
    candidate: await mkdtemp(join(tmpdir(), 'clade-out-')),
  };
  const optionsOf = (whose: keyof typeof outs, cwd: string) => ({
    cwd,
    env: { ...process.env, CLADE_RESULT: undefined, OUT: outs[whose] },
    timeoutMs,
  });
  /** A command of the campaign's, in the root's checkout. */
  const printed = async (argv: readonly string[], whose: keyof typeof outs): Promise<TimedRun> =>
    await timeCommand(argv, optionsOf(whose, rootDir));
  try {
    for (const whose of before === null ? [] : (['root', 'candidate'] as const)) {
      const made = await printed(before ?? [], whose);
      if (made.exitCode !== 0) infrastructure(`the input of ${name} cannot be made: ${made.stderr}`);
    }
    const comparison = await pairCommands({
      ...settings,
      root: { argv: command, ...optionsOf('root', rootDir) },
      candidate: { argv: command, ...optionsOf('candidate', process.cwd()) },
      check: async (root, candidate) => {
        equal(name, root.stdout, candidate.stdout);
        if (check === null) return;
        const [of, other] = [await printed(check, 'root'), await printed(check, 'candidate')];
        if (of.exitCode !== 0) infrastructure(`the check of ${name} fails for the root: ${of.stderr}`);
        if (other.exitCode !== 0) invalid('gate', `the check of ${name} fails`, other.stderr);
        equal(name, of.stdout, other.stdout);
      },
    });
    const tookMs =
      comparison.clock === 'wall'
        ? comparison.root.wallMs
        : (comparison.root.userMs ?? 0) + (comparison.root.systemMs ?? 0);
    if (tookMs < minimumMs) {
      infrastructure(
        `${name} takes ${tookMs.toFixed(1)} ms for the root, too short to be measured: let it do more than ${minimumMs} ms`,
      );
    }
    return comparison;
  } finally {
    for (const out of Object.values(outs)) await rm(out, { recursive: true, force: true });
  }
}

/** @throws Refusal `gate` with both texts from shortly before the first difference */
function equal(name: string, root: string, candidate: string): void {
  if (root === candidate) return;
  let at = 0;
  while (root[at] === candidate[at]) at += 1;
  const from = Math.max(0, at - 40);
  const shown = (text: string): string => JSON.stringify(text.slice(from, from + SHOWN_CHARACTERS));
  invalid(
    'gate',
    `${name} gives something else than for the root`,
    `expected: ${shown(root)}\nactual:   ${shown(candidate)}\n`,
  );
}
