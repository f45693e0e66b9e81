import { readFileSync } from 'node:fs';
import { invalid } from 'clade/evaluator';
import type { Builds } from './gates.ts';
import { type Whose, type Worker, withWorkers } from './worker.ts';

/** Files for root and candidate. */
type Pair = Readonly<Record<Whose, string>>;

export interface Job {
  readonly inputs: Pair;
  /** Where the results of both are left. */
  readonly outputs: Pair;
  /** In how many fresh processes it is done. */
  readonly passes: number;
}

/** Milliseconds over all passes. */
export interface Timing {
  readonly root: number;
  readonly candidate: number;
  readonly passes: number;
}

export interface PairPlan {
  readonly builds: Builds;
  readonly rootFirst: boolean;
  /** A small input that no job has, to compress and to decompress: it brings a process to where code and tables are in memory. */
  readonly warm: { readonly text: string; readonly frames: string };
}

/**
 * Times jobs for root and candidate, turn by turn: two processes are there at a time, one of each, and of every job first the
 * one works and then the other. What takes too little time is repeated in further pairs of fresh processes, never in the same.
 *
 * @param level null: decompress
 * @throws Refusal `gate` when a further pass of the candidate gives something else than the first
 */
export async function timeJobs(plan: PairPlan, level: number | null, jobs: readonly Job[]): Promise<Timing[]> {
  const timings = jobs.map(({ passes }) => ({ root: 0, candidate: 0, passes }));
  const most = Math.max(...jobs.map(({ passes }) => passes));
  // Whatever is done for both is done in the order of the round, so that being first favours neither.
  const order: readonly Whose[] = plan.rootFirst ? ['root', 'candidate'] : ['candidate', 'root'];
  for (let pass = 0; pass < most; pass += 1) {
    await withWorkers(
      order.map((whose) => plan.builds[whose]),
      async (...workers) => {
        for (const worker of workers) {
          await worker.load(level, level === null ? plan.warm.frames : plan.warm.text);
          await worker.run();
        }
        for (const [i, job] of jobs.entries()) {
          const timing = timings[i];
          if (timing === undefined || job.passes <= pass) continue;
          for (const worker of workers) await worker.load(level, job.inputs[worker.whose]);
          for (const worker of workers) timing[worker.whose] += await worker.run();
          for (const worker of workers) await keep(worker, job.outputs[worker.whose], pass);
        }
      },
    );
  }
  return timings;
}

/** The first result is kept; later ones of the candidate must be equal to it. */
async function keep(worker: Worker, output: string, pass: number): Promise<void> {
  if (pass === 0) return await worker.save(output);
  if (worker.whose === 'root') return;
  const again = `${output}.again`;
  await worker.save(again);
  if (!readFileSync(again).equals(readFileSync(output))) {
    invalid('gate', 'the candidate gives another result for the same input');
  }
}
