import { type Contract, invalid, measurePaired, type Order, type Paired } from 'clade/evaluator';
import type { Context } from './benchmark.ts';
import type { Settings } from './settings.ts';
import { Version } from './version.ts';

export interface Throughput extends Paired {
  /** Medians of the timed work. */
  readonly rootMs: number;
  readonly candidateMs: number;
}

/**
 * Paired throughput. Every round starts a fresh process for each version: two processes of the very same code differ by 1 to 2 % for
 * as long as they live (layout, and what the compiler decided early), and rounds in one pair of processes would repeat that
 * difference instead of averaging it.
 *
 * @throws Refusal `gate` when the output of a timed run is not the root's
 */
export async function measureThroughput(
  { rootDir }: Contract,
  settings: Settings,
  context: Context,
): Promise<Throughput> {
  const times: { root: number[]; candidate: number[] } = { root: [], candidate: [] };
  const measure = async (round: number, order: Order): Promise<{ root: number; candidate: number }> => {
    const versions: Version[] = [];
    try {
      const root = await Version.start({ whose: 'root', directory: rootDir }, settings, context);
      versions.push(root);
      const candidate = await Version.start({ whose: 'candidate', directory: process.cwd() }, settings, context);
      versions.push(candidate);
      await Promise.all(versions.map((version) => prepare(version, context.seed + 2 * round)));
      const durations = new Map<Version, number>();
      for (const version of order === 'root-first' ? [root, candidate] : [candidate, root]) {
        durations.set(version, await version.time());
      }
      const [expected, actual] = await Promise.all([root, candidate].map((version) => version.ask({ job: 'output' })));
      if (expected?.output !== actual?.output) invalid('gate', `the output of round ${round} differs from the root's`);
      const result = { root: durations.get(root) ?? 0, candidate: durations.get(candidate) ?? 0 };
      times.root.push(result.root);
      times.candidate.push(result.candidate);
      return result;
    } finally {
      for (const version of versions) version.stop();
    }
  };
  const paired = await measurePaired({ ...settings.plan, measure });
  return { ...paired, rootMs: medianMs(times.root), candidateMs: medianMs(times.candidate) };
}

/** Both versions may do this side by side: it is not timed. */
async function prepare(version: Version, seed: number): Promise<void> {
  await version.ask({ job: 'load', round: { seed, phase: 'warmup' } });
  await version.ask({ job: 'run' });
  await version.ask({ job: 'load', round: { seed: seed + 1, phase: 'timed' } });
}

function medianMs(nanoseconds: readonly number[]): number {
  return (nanoseconds.toSorted((a, b) => a - b)[nanoseconds.length >> 1] ?? Number.NaN) / 1e6;
}
