import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { ARMS } from './arm.ts';
import type { Problem } from './problem.ts';
import { type Job, simulate } from './simulate.ts';

const CLADE = join(import.meta.dirname, '../../../src/cli/clade.ts');

const ledgerSchema = z.array(
  z.object({
    ordinal: z.int(),
    base: z.int().nullable(),
    inspirations: z.array(z.int()),
    outcome: z.string(),
    objectives: z.record(z.string(), z.number()).nullable(),
  }),
);

/** Job by job what `clade run` and the simulation made of one seed; equal texts are equal jobs. */
export interface Comparison {
  readonly real: readonly string[];
  readonly simulated: readonly string[];
}

/** Runs one campaign of the campaign file's own policy twice: with Git, database, sandbox and evaluator, and in this process. */
export async function compareWithClade(
  problem: Problem,
  { seed, jobs, folder }: { readonly seed: number; readonly jobs: number; readonly folder: string },
): Promise<Comparison> {
  const { directory, name, search } = problem.campaign;
  const clade = async (...argv: string[]): Promise<string> => {
    const { stdout } = await execa(
      process.execPath,
      [...process.execArgv, CLADE, '--workspace', join(folder, 'workspace'), '--json', ...argv],
      { env: { CLADE_DATABASE_URL: '' }, stdin: 'ignore' },
    );
    return stdout;
  };
  await clade('run', directory, '--seed', `${seed}`, '--jobs', `${jobs}`);
  const ledger = ledgerSchema.parse(JSON.parse(await clade('jobs', `${name}-${seed}`, '--limit', `${jobs + 1}`)));
  const arm = ARMS.find((known) => known.name === search.policy);
  if (arm === undefined) throw new Error(`there is no arm of the policy ${search.policy}`);
  const { jobs: simulated } = await simulate(problem, arm, { seed, budget: jobs, folder: join(folder, 'checkout') });
  return {
    // Only candidates are compared by value: of a duplicate, the ledger shows what the first of the two measured.
    real: ledger.map(({ ordinal, base, inspirations, outcome, objectives }) =>
      line({ ordinal, base: base ?? 0, inspirations, outcome }, outcome === 'candidate' ? objectives : null),
    ),
    simulated: simulated.map((job) => line(job, job.objectives)),
  };
}

function line(
  { ordinal, base, inspirations, outcome }: Pick<Job, 'ordinal' | 'base' | 'inspirations'> & { outcome: string },
  objectives: Readonly<Record<string, number>> | null,
): string {
  const values = objectives === null ? '' : `, score ${objectives.score}, cost ${objectives.cost}`;
  return `#${ordinal} from ${base} and [${inspirations.join(' ')}]: ${outcome}${values}`;
}
