import { createDatabase, startCluster } from '../../test/support/postgres.ts';
import type { Benchmark, Figure } from './benchmark.ts';
import { inTemporaryFolder } from './folder.ts';
import { openBaseline } from './overhead/baseline.ts';
import { type Counted, runClade } from './overhead/clade.ts';
import { writeTarget } from './overhead/target.ts';
import { perJob, type Timeline } from './overhead/timeline.ts';

const JOBS = 200;
/** Jobs at either end that tell whether work grows with the history. */
const END = 50;

/**
 * What a job costs besides its agent and its evaluator. The shell script runs one half of its jobs before and one after ours, so that a
 * machine that gets slower meanwhile hits both.
 */
export const overhead: Benchmark = {
  name: 'overhead',
  about: `${JOBS} jobs with an agent and an evaluator that do next to nothing, against a shell script with the same Git work (--jobs N)`,
  async run({ jobs = JOBS }) {
    return inTemporaryFolder(async (folder) => {
      const target = await writeTarget(folder);
      const half = Math.ceil(jobs / 2);
      const baseline = await openBaseline(folder, target);
      const first = await baseline.run(1, half);
      const serial = await runClade(folder, target, { jobs, concurrency: 1 });
      const second = await baseline.run(half + 1, jobs);
      const double = await runClade(folder, target, { jobs, concurrency: 2 });
      const served = await onServer((databaseUrl) => runClade(folder, target, { jobs, concurrency: 1, databaseUrl }));
      const script: Timeline = {
        settledMs: [...first.settledMs, ...second.settledMs.slice(1).map((at) => at + (first.settledMs.at(-1) ?? 0))],
        wholeMs: first.wholeMs + second.wholeMs,
        cpuMs: first.cpuMs + second.cpuMs,
      };
      return {
        figures: [
          ...compare('concurrency 1', serial, script, jobs),
          ...compare('concurrency 2', double, script, jobs),
          ...(served === null ? [] : compare('PostgreSQL, concurrency 1', served, script, jobs)),
        ],
        notes: [
          `per job: from the root's settlement (the script: its start) to the last job's, over ${jobs} jobs. whole: from start to exit. ` +
            'CPU: user and system time of all processes but a server; statements (BEGIN and COMMIT too) and child processes of the main ' +
            'process, a job: start and end included.',
          ...(served === null ? ['There is no PostgreSQL server on this machine.'] : []),
        ],
      };
    });
  },
};

/** On a throwaway server; null where there is none. */
async function onServer<T>(run: (databaseUrl: string) => Promise<T>): Promise<T | null> {
  const cluster = await startCluster();
  if (cluster === undefined) return null;
  try {
    return await run(await createDatabase(cluster.url));
  } finally {
    await cluster.stop();
  }
}

function compare(label: string, ours: Counted, script: Timeline, jobs: number): Figure[] {
  const end = Math.min(END, Math.floor(jobs / 2));
  const growth = (line: Timeline): number => perJob(line, jobs - end, jobs) / perJob(line, 0, end);
  const mine = perJob(ours, 0, jobs);
  const theirs = perJob(script, 0, jobs);
  return [
    { what: `${label}: per job`, value: mine, unit: 'ms' },
    { what: `${label}: per job, script`, value: theirs, unit: 'ms' },
    { what: `${label}: per job, ratio`, value: mine / theirs, unit: '×', aim: 1.5 },
    { what: `${label}: last ${end} jobs to first ${end}`, value: growth(ours), unit: '×', aim: 1.2 },
    { what: `${label}: last ${end} jobs to first ${end}, script`, value: growth(script), unit: '×' },
    { what: `${label}: whole`, value: ours.wholeMs / 1000, unit: 's' },
    { what: `${label}: whole, ratio`, value: ours.wholeMs / script.wholeMs, unit: '×' },
    { what: `${label}: CPU, ratio`, value: ours.cpuMs / script.cpuMs, unit: '×' },
    { what: `${label}: statements a job`, value: ours.statements / jobs, unit: 'times' },
    { what: `${label}: child processes a job`, value: ours.children / jobs, unit: 'times' },
  ];
}
