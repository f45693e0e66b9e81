import type { Builds } from './gates.ts';
import { type Whose, withWorkers } from './worker.ts';

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
 * Only the results of the first pass are kept and checked: a process of the candidate's cannot tell which pass it is in, so one that
 * cheats now and then is caught in one of the hundreds of first passes.
 *
 * @param level null: decompress
 * @throws Refusal `gate` when a process of the candidate's ends
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
          if (pass === 0) for (const worker of workers) await worker.save(job.outputs[worker.whose]);
        }
      },
    );
  }
  return timings;
}
