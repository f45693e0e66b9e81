#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildBoth,
  type Contract,
  contract,
  identityOf,
  main,
  options,
  pairedResult,
  type Result,
  runCheck,
} from 'clade/evaluator';
import { loadBenchmark } from './benchmark.ts';
import { checkCases } from './gates.ts';
import { measureThroughput } from './measure.ts';
import { checkScope } from './scope.ts';
import { readSettings } from './settings.ts';

/** `clade-node-package`: an npm package against its root, gates first, then paired throughput. README.md says how to use it. */
async function evaluate(): Promise<Result> {
  const settings = readSettings(options());
  const place = contract();
  const context = {
    seed: seedOf(place),
    split: place.split,
    campaignDir: realpathSync(place.campaignDir),
    modules: modulesOf(place.rootDir),
  };
  const benchmark = await loadBenchmark(context.campaignDir, settings.benchmark);
  if (settings.build !== null) await buildBoth(settings.build, place.rootDir);
  if (settings.scope) checkScope(place.rootDir, process.cwd(), settings.files);
  if (settings.test !== null) await runCheck('test', settings.test);
  const cases = await checkCases(benchmark, place, settings, context);

  const { rootMs, candidateMs, ...comparison } = await measureThroughput(place, settings, context);
  const identity = identityOf(process.cwd(), settings.files);
  const isRoot = identity === identityOf(place.rootDir, settings.files);
  const { metrics, ...result } = pairedResult(settings.objective, comparison, isRoot);
  return {
    status: 'valid',
    ...result,
    identity,
    metrics: { ...metrics, root_ms: rootMs, candidate_ms: candidateMs },
    evidence: `${cases} cases pass. The standard error of the log ratio is ${comparison.standardError.toFixed(4)}.\n`,
  };
}

/** Where they really are: a link out of the checkout (`target.link`) would be closed to the measured process. */
function modulesOf(rootDir: string): string {
  const path = join(rootDir, 'node_modules');
  return existsSync(path) ? realpathSync(path) : path;
}

/** Splits differ in their inputs; 31 bits leave room for the rounds. */
function seedOf({ seed, split }: Contract): number {
  return createHash('sha256').update(`${seed}\n${split}`).digest().readUInt32BE() >>> 1;
}

await main(evaluate);
