import { measurePaired, type Order, type Paired, type PairedPlan } from './paired.ts';
import { infrastructure, invalid, StartError } from './refusal.ts';
import { type CommandOptions, type TimedRun, timeCommand } from './time.ts';

export type Clock = 'wall' | 'cpu';

/** What is run for one of the two versions. */
export interface Side extends CommandOptions {
  readonly argv: readonly string[];
}

export interface CommandPair extends PairedPlan {
  readonly root: Side;
  readonly candidate: Side;
  /** `cpu` (user and system time of all its processes) is quieter where the machine is shared. Default: `wall`. */
  readonly clock?: Clock;
  /** Called after every round, those of the warm-up included: compare what the two gave, throw a `Refusal` when they must not differ. */
  readonly check?: (root: TimedRun, candidate: TimedRun, round: number) => void | Promise<void>;
}

/** Medians over the rounds; null where a round did not know. */
export interface Medians {
  readonly wallMs: number;
  readonly userMs: number | null;
  readonly systemMs: number | null;
  readonly maxRssBytes: number | null;
}

export interface CommandComparison extends Paired {
  readonly clock: Clock;
  readonly root: Medians;
  readonly candidate: Medians;
}

/**
 * A paired measurement of a command: each run is a fresh process, root and candidate alternate.
 *
 * @throws Refusal `benchmark` when the candidate's command cannot be started, fails or is not done in time while the root's does well;
 * MachineFault when the root's does not either, or the clock `cpu` is asked for on a machine that cannot tell it
 */
export async function pairCommands(pair: CommandPair): Promise<CommandComparison> {
  const { clock = 'wall', check } = pair;
  const runs: { root: TimedRun[]; candidate: TimedRun[] } = { root: [], candidate: [] };
  const measure = async (round: number, order: Order): Promise<{ root: number; candidate: number }> => {
    const [first, second] =
      order === 'root-first' ? (['root', 'candidate'] as const) : (['candidate', 'root'] as const);
    const done = { [first]: await runSide(pair, first), [second]: await runSide(pair, second) };
    const { root, candidate } = done as { root: TimedRun; candidate: TimedRun };
    await check?.(root, candidate, round);
    if (round >= 0) {
      runs.root.push(root);
      runs.candidate.push(candidate);
    }
    return { root: durationOf(root, clock), candidate: durationOf(candidate, clock) };
  };
  const paired = await measurePaired({ ...pair, measure });
  return { ...paired, clock, root: mediansOf(runs.root), candidate: mediansOf(runs.candidate) };
}

async function runSide(pair: CommandPair, whose: 'root' | 'candidate'): Promise<TimedRun> {
  const failure = await attempt(pair[whose]);
  if ('wallMs' in failure) return failure;
  const { summary, evidence } = failure;
  // What fails for both is not the candidate's fault, whoever was first.
  const root = whose === 'root' ? failure : await attempt(pair.root);
  if ('summary' in root) infrastructure(`${root.summary} in the root's folder: ${root.evidence}`);
  return invalid('benchmark', `${summary} in the candidate's folder`, evidence);
}

/** The run, or why it does not count. */
async function attempt(side: Side): Promise<TimedRun | { readonly summary: string; readonly evidence: string }> {
  const command = side.argv.join(' ');
  try {
    const run = await timeCommand(side.argv, side);
    if (run.exitCode === 0) return run;
    const how = run.timedOut
      ? `was not done after ${side.timeoutMs} ms`
      : `ended with ${run.signal ?? `exit code ${run.exitCode}`}`;
    return { summary: `${command} ${how}`, evidence: run.stderr.slice(-4000) };
  } catch (error) {
    if (error instanceof StartError) return { summary: `${command} could not be started`, evidence: error.message };
    throw error;
  }
}

function durationOf(run: TimedRun, clock: Clock): number {
  if (clock === 'wall') return run.wallMs;
  if (run.userMs === null || run.systemMs === null)
    infrastructure('processor time is read through python3: install it, or use the clock "wall"');
  return run.userMs + run.systemMs;
}

function mediansOf(runs: readonly TimedRun[]): Medians {
  return {
    wallMs: median(runs.map((run) => run.wallMs)) ?? Number.NaN,
    userMs: median(runs.map((run) => run.userMs)),
    systemMs: median(runs.map((run) => run.systemMs)),
    maxRssBytes: median(runs.map((run) => run.maxRssBytes)),
  };
}

/** null when one is missing: the median of the others would be another one. */
function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).sort((a, b) => a - b);
  if (known.length < values.length) return null;
  const middle = known.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [known[middle - 1], known[middle]];
  return known.length % 2 === 1 ? high : (low + high) / 2;
}
