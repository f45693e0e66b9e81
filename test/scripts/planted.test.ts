import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { inTemporaryFolder } from '../../scripts/bench/folder.ts';
import { loadProblem } from '../../scripts/bench/planted/problem.ts';
import { compareWithClade } from '../../scripts/bench/planted/real.ts';

test('the benchmark simulates what clade run does, job by job', async () => {
  const problem = await loadProblem(resolve(import.meta.dirname, '../../campaigns/planted'));
  // Long enough for the archive: it warms up with the first eight candidates.
  const { real, simulated } = await inTemporaryFolder((folder) =>
    compareWithClade(problem, { seed: 7, jobs: 16, folder }),
  );
  expect(simulated).toHaveLength(17);
  expect(real).toEqual(simulated);
  expect(real.some((job) => !job.includes('from 0'))).toBe(true);
}, 120_000);
