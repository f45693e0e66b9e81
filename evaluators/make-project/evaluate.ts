#!/usr/bin/env node
import {
  buildBoth,
  contract,
  identityOf,
  main,
  options,
  type PairedResult,
  pairedResult,
  type Result,
  runCheck,
} from 'clade/evaluator';
import { readSettings } from './settings.ts';
import { measureWorkload } from './workload.ts';

/**
 * `clade-make-project`: builds a project with its own build system, runs its tests and times its command-line workloads against
 * the root's. `clade-make-project prepare` builds the root alone. README.md says how to use it.
 */

async function evaluate(): Promise<Result> {
  const settings = readSettings(options());
  const { rootDir } = contract();
  const { build, test, files, timeoutMs, workloads } = settings;
  // The candidate's own code runs in them: where the result goes is none of its business.
  const checked = { timeoutMs, env: { ...process.env, CLADE_RESULT: undefined } };
  if (build !== null) await buildBoth(build, rootDir, checked);
  // Before the tests, which may leave files of their own.
  const identity = files === null ? undefined : identityOf(process.cwd(), files);
  const isRoot = contract().isRoot || (files !== null && identity === identityOf(rootDir, files));
  if (test !== null) await runCheck('test', test, checked);

  const results: PairedResult[] = [];
  const metrics: Record<string, number> = {};
  for (const workload of workloads) {
    const comparison = await measureWorkload(workload, settings, rootDir);
    results.push(pairedResult(workload.name, comparison, isRoot));
    const { root, candidate } = comparison;
    metrics[`${workload.name}_root_ms`] = root.wallMs;
    if (root.maxRssBytes !== null) metrics[`${workload.name}_root_memory_mib`] = root.maxRssBytes / 2 ** 20;
    if (candidate.maxRssBytes !== null) metrics[`${workload.name}_memory_mib`] = candidate.maxRssBytes / 2 ** 20;
  }
  return {
    status: 'valid',
    objectives: Object.assign({}, ...results.map(({ objectives }) => objectives)),
    intervals: Object.assign({}, ...results.map(({ intervals }) => intervals)),
    metrics: Object.assign(metrics, ...results.map((result) => result.metrics)),
    ...(identity === undefined ? {} : { identity }),
    summary: results.map(({ summary }) => summary).join('; '),
  };
}

/** Its answer goes nowhere: what counts is the built root. */
async function prepare(args: readonly string[]): Promise<Result> {
  const { build, timeoutMs } = readSettings(options(args));
  const { rootDir } = contract();
  if (build !== null) await buildBoth(build, rootDir, { cwd: rootDir, timeoutMs });
  return { status: 'valid', objectives: {}, summary: 'the root is built' };
}

const [mode, ...rest] = process.argv.slice(2);
await main(async () => (mode === 'prepare' ? await prepare(rest) : await evaluate()));
