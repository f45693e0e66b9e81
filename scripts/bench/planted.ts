import { join } from 'node:path';
import { firstCoder } from '../../src/config/index.ts';
import type { Benchmark, Figure, Report } from './benchmark.ts';
import { inTemporaryFolder } from './folder.ts';
import { ARMS, type Arm } from './planted/arm.ts';
import { loadProblem, type Problem } from './planted/problem.ts';
import { compareWithClade } from './planted/real.ts';
import { type Run, simulate } from './planted/simulate.ts';

const CAMPAIGN = join(import.meta.dirname, '../../campaigns/planted');
const SEEDS = 20;
/**
 * How many edits one proposal may make. With one, the optimum is only reached through candidates that score nothing yet; with two,
 * a pair may be found at one blow.
 */
const EDITS = [
  { label: 'one edit', edits: { min: 1, max: 1 } },
  { label: 'up to two', edits: { min: 1, max: 2 } },
];
const BUDGET = 1000;
/** Jobs of the comparison with the whole program, which takes a quarter of a second for each. */
const REAL_JOBS = 200;

/** Whether keeping what is neutral pays: a planted optimum behind steps that change no score. */
export const planted: Benchmark = {
  name: 'planted',
  about: `campaigns/planted by each policy and by random restarts, ${SEEDS} seeds each, with one and with up to two edits, at most ${BUDGET} jobs (--jobs N); or one seed against clade run (--real)`,
  async run({ jobs: budget = BUDGET, real = false }) {
    const problem = await loadProblem(CAMPAIGN);
    if (real) return compare(problem, Math.min(budget, REAL_JOBS));
    const figures: Figure[] = [];
    for (const { label, edits } of EDITS) {
      const posed = withEdits(problem, edits);
      for (const arm of ARMS) {
        figures.push(...report(`${label}, ${arm.name}`, await runSeeds(posed, arm, budget), budget));
      }
    }
    return {
      figures,
      notes: [
        `The score counts pairs of modules that are both right; solved: both, within ${budget} jobs. Every arm has the same agent, the ` +
          'same edits and the same seeds; every job is charged, also one without a valid candidate.',
        `median: of all ${SEEDS} runs, unsolved ones counted as the whole budget. jobs per success: all jobs of the arm by its solved runs.`,
      ],
    };
  },
};

/** Whether the simulation is the search that `clade run` does. */
async function compare(problem: Problem, jobs: number): Promise<Report> {
  return inTemporaryFolder(async (folder) => {
    const { real, simulated } = await compareWithClade(problem, { seed: 1, jobs, folder });
    const first = real.findIndex((job, index) => job !== simulated[index]);
    const same = first === -1 ? real.length : first;
    const differing = first === -1 ? [] : [`clade run: ${real[first]}`, `simulated: ${simulated[first]}`];
    return {
      figures: [{ what: 'jobs that clade run makes alike', value: (100 * same) / real.length, unit: '%', least: 100 }],
      notes: [`${real.length} jobs of seed 1, the root included, up to the first that differs.`, ...differing],
    };
  });
}

function withEdits(problem: Problem, edits: { readonly min: number; readonly max: number }): Problem {
  const { agent, ...member } = firstCoder(problem.campaign);
  if (agent.kind !== 'mutate') throw new Error(`edits are counted for the agent mutate only, not for ${agent.kind}`);
  const agents = { ...problem.campaign.agents, coders: [{ ...member, agent: { ...agent, edits } }] };
  return { ...problem, campaign: { ...problem.campaign, agents } };
}

async function runSeeds(problem: Problem, arm: Arm, budget: number): Promise<Run[]> {
  const runs: Run[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) {
    runs.push(await inTemporaryFolder((folder) => simulate(problem, arm, { seed, budget, folder })));
  }
  return runs;
}

function report(name: string, runs: readonly Run[], budget: number): Figure[] {
  const solved = runs.flatMap(({ solvedAt }) => solvedAt ?? []);
  const spent = runs.map(({ solvedAt }) => solvedAt ?? budget);
  const total = spent.reduce((sum, jobs) => sum + jobs, 0);
  const valid = runs.flatMap(({ jobs }) => jobs).filter(({ outcome }) => outcome === 'candidate').length;
  return [
    { what: `${name}: solved`, value: (100 * solved.length) / runs.length, unit: '%' },
    { what: `${name}: median jobs`, value: median(spent), unit: 'jobs' },
    ...(solved.length === 0
      ? []
      : [{ what: `${name}: jobs per success`, value: total / solved.length, unit: 'jobs' } as const]),
    { what: `${name}: jobs with a new valid candidate`, value: (100 * valid) / total, unit: '%' },
  ];
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
