#!/usr/bin/env node
import { buildBoth, contract, identityOf, main, options, type Result, runCheck } from 'clade/evaluator';
import { countBoth } from './count.ts';
import { readSettings } from './settings.ts';

/** `clade-callgrind`: executed instructions of workloads, root against candidate. README.md says how to use it. */
async function evaluate(): Promise<Result> {
  const settings = readSettings(options());
  const { rootDir } = contract();
  const { build, test, files, timeoutMs, workloads } = settings;
  if (build !== null) await buildBoth(build, rootDir, { timeoutMs });
  if (test !== null) await runCheck('test', test, { timeoutMs });

  const objectives: Record<string, number> = {};
  const metrics: Record<string, number> = {};
  for (const workload of workloads) {
    const { root, candidate } = await countBoth(workload, settings, rootDir);
    objectives[workload.name] = root / candidate;
    metrics[`${workload.name}_root_instructions`] = root;
    metrics[`${workload.name}_instructions`] = candidate;
  }
  return {
    status: 'valid',
    objectives,
    metrics,
    ...(files === null ? {} : { identity: identityOf(process.cwd(), files) }),
    summary: Object.entries(objectives)
      .map(([name, ratio]) => `${name} ${fewer(ratio)}`)
      .join(', '),
  };
}

function fewer(ratio: number): string {
  const percent = (1 - 1 / ratio) * 100;
  return `${Math.abs(percent).toFixed(3)} % ${percent >= 0 ? 'fewer' : 'more'} instructions`;
}

await main(evaluate);
