#!/usr/bin/env node
import { join, resolve } from 'node:path';
import {
  contract,
  infrastructure,
  main,
  measurePaired,
  options,
  pairedResult,
  type Result,
  splitSeed,
} from 'clade/evaluator';
import { ask, type Request } from './driver.ts';
import { checkEquality, checkScope, checkTests, readSource } from './gates.ts';
import { readSettings, type Settings } from './options.ts';
import { findPython, type Python } from './python.ts';

/**
 * Evaluates the Python package in the current folder against the root: scope, tests, equal output, then paired throughput. Each
 * round is an interpreter of its own, in which both versions are loaded and take turns.
 */
async function evaluate(): Promise<Result> {
  const settings = readSettings(options());
  const where = contract();
  const python = await findPython(settings.python, settings.requires);
  const checkout = process.cwd();
  const request: Request = {
    do: 'answers',
    package: settings.package,
    root: resolve(where.rootDir, settings.path),
    candidate: resolve(checkout, settings.path),
    benchmark: resolve(where.campaignDir, settings.benchmark),
    seed: splitSeed(where),
  };
  const folder = settings.package.replaceAll('.', '/');
  const root = await readSource(python, join(request.root, folder));
  const candidate = await readSource(python, join(request.candidate, folder));
  checkScope(root, candidate, settings);
  await checkTests(python, checkout, settings);
  const cases = await checkEquality(python, request, settings.roundSeconds);

  const isRoot = candidate.identity === root.identity;
  const times = { root: 0, rounds: 0 };
  const comparison = await measurePaired({
    ...settings,
    // An interpreter is warmed up by the driver, in each round.
    warmup: 0,
    measure: async (round, order) => {
      const taken = await timeRound(python, request, round, order, settings);
      times.root += taken.root / settings.repeats;
      times.rounds += 1;
      return taken;
    },
  });
  const paired = pairedResult(settings.objective, comparison, isRoot);
  return {
    status: 'valid',
    objectives: paired.objectives,
    intervals: paired.intervals,
    identity: candidate.identity,
    metrics: { ...paired.metrics, cases, root_ms: times.root / times.rounds / 1e6 },
    summary: paired.summary,
    evidence: `The tests pass and ${cases} outputs equal the root's. The standard error of the log ratio is ${comparison.standardError.toFixed(4)}.\n`,
  };
}

/** One round; the seed of the inputs and of the hashes is the round's, and so equal for both versions. */
async function timeRound(
  python: Python,
  request: Request,
  round: number,
  order: 'root-first' | 'candidate-first',
  { clock, isolate, repeats, roundSeconds }: Settings,
): Promise<{ root: number; candidate: number }> {
  const whole: Request = {
    ...request,
    do: 'round',
    seed: request.seed + (round + 1) * 1_000_003,
    order: order === 'root-first' ? ['root', 'candidate'] : ['candidate', 'root'],
    clock,
    isolate,
    repeats,
  };
  const answer = await ask(python, whole, roundSeconds, round + 1);
  return { root: sum(answer, 'root'), candidate: sum(answer, 'candidate') };
}

function sum(answer: unknown, who: 'root' | 'candidate'): number {
  const times: unknown =
    typeof answer === 'object' && answer !== null ? Object.entries(answer).find(([key]) => key === who)?.[1] : null;
  if (!Array.isArray(times)) infrastructure(`the driver gave no times of the ${who}`);
  return times.reduce<number>((total, time) => total + Number(time), 0);
}

await main(evaluate);
