#!/usr/bin/env node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, contract, main, options, type Result } from 'clade/evaluator';
import { buildLibrary, type Library } from './build.ts';
import { checkSizes, summarise } from './cells.ts';
import { checkGates } from './gates.ts';
import { checkReach, reachOf } from './reach.ts';
import { resultOf, tableOf } from './report.ts';
import { prepareRoot, type RootBuild } from './root.ts';
import { measureRounds } from './rounds.ts';
import { seedOf } from './seed.ts';
import { type Settings, settingsOf } from './settings.ts';

/**
 * `clade-zstd`: judges a Zstandard library, or another with the same functions, against the root's. With `prepare` it builds the
 * root and the driver into the cache, which evaluations may then find read-only; with `build` it only builds the candidate, which
 * as a first step gives the identity before anything is measured.
 */

const MODES = { prepare, build, judge } as const;

/** @param scratch a folder that goes with the evaluation */
async function buildCandidate(
  given: Contract,
  settings: Settings,
  scratch: string,
): Promise<{ root: RootBuild; library: Library }> {
  const root = await prepareRoot(given, settings);
  const plan = {
    directory: process.cwd(),
    whose: 'candidate',
    into: join(scratch, 'build'),
    objects: root.objects,
  } as const;
  const library = await buildLibrary(plan, settings);
  checkReach(await reachOf(root.library.path), await reachOf(library.path));
  return { root, library };
}

async function judge(given: Contract, settings: Settings, scratch: string): Promise<Result> {
  const seed = seedOf(given);
  const { root, library } = await buildCandidate(given, settings, scratch);
  const builds = {
    root: { whose: 'root', driver: root.driver, library: root.library.path },
    candidate: { whose: 'candidate', driver: root.driver, library: library.path },
  } as const;
  const memory = await checkGates(builds, seed, settings, scratch);
  const rounds = await measureRounds(builds, seed, settings, scratch);
  const summary = summarise(rounds, settings.trim);
  checkSizes(summary.cells, settings.sizeGrowth);
  writeFileSync(join(given.artifacts, 'cells.md'), tableOf(summary.cells));
  writeFileSync(join(given.artifacts, 'rounds.json'), JSON.stringify({ rounds, memory }));
  const { identity } = library;
  return resultOf({ summary, memory, identity, isRoot: identity === root.library.identity });
}

/** Without objectives: a later step has them. */
async function build(given: Contract, settings: Settings, scratch: string): Promise<Result> {
  const { library } = await buildCandidate(given, settings, scratch);
  return { status: 'valid', objectives: {}, identity: library.identity, summary: 'it builds' };
}

/** Its answer goes nowhere: what counts is the cache. */
async function prepare(given: Contract, settings: Settings): Promise<Result> {
  const { library } = await prepareRoot(given, settings);
  return { status: 'valid', objectives: {}, identity: library.identity, summary: 'the root is built' };
}

await main(async () => {
  const args = process.argv.slice(2);
  const mode = args[0] === 'prepare' || args[0] === 'build' ? args[0] : 'judge';
  const settings = settingsOf(options(mode === 'judge' ? args : args.slice(1)));
  const scratch = mkdtempSync(join(tmpdir(), 'zstd-'));
  try {
    return await MODES[mode](contract(), settings, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
