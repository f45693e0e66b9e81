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
import { readSettings, type Settings } from './settings.ts';
import { measureWorkload } from './workload.ts';

/**
 * `clade-make-project`: builds a project with its own build system, runs its tests and times its command-line workloads against
 * the root's. With `prepare` it builds the root alone; with `build` the candidate, which as a first step gives the identity
 * before anything is measured. README.md says how to use it.
 */

const MODES = { prepare, build, judge } as const;

/** The candidate's own code runs in build and tests: where the result goes is none of its business. */
const environmentOf = ({ timeoutMs }: Settings) => ({ timeoutMs, env: { ...process.env, CLADE_RESULT: undefined } });

async function judge(settings: Settings): Promise<Result> {
  const { test, workloads, files } = settings;
  const { rootDir, isRoot: same } = contract();
  // Before the tests, which may leave files of their own.
  const { identity } = await buildCandidate(settings);
  const isRoot = same || (files !== null && identity === identityOf(rootDir, files));
  if (test !== null) await runCheck('test', test, environmentOf(settings));

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
    ...(identity === null ? {} : { identity }),
    summary: results.map(({ summary }) => summary).join('; '),
  };
}

/** Without objectives: a later step has them. */
async function build(settings: Settings): Promise<Result> {
  const { identity } = await buildCandidate(settings);
  return { status: 'valid', objectives: {}, ...(identity === null ? {} : { identity }), summary: 'it builds' };
}

async function buildCandidate(settings: Settings): Promise<{ identity: string | null }> {
  const { build, files } = settings;
  if (build !== null) await buildBoth(build, contract().rootDir, environmentOf(settings));
  return { identity: files === null ? null : identityOf(process.cwd(), files) };
}

/** Its answer goes nowhere: what counts is the built root. */
async function prepare({ build, timeoutMs }: Settings): Promise<Result> {
  const { rootDir } = contract();
  if (build !== null) await buildBoth(build, rootDir, { cwd: rootDir, timeoutMs });
  return { status: 'valid', objectives: {}, summary: 'the root is built' };
}

await main(async () => {
  const args = process.argv.slice(2);
  const mode = args[0] === 'prepare' || args[0] === 'build' ? args[0] : 'judge';
  return await MODES[mode](readSettings(options(mode === 'judge' ? args : args.slice(1))));
});
