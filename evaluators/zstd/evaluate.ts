#!/usr/bin/env node
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { contract, main, options, type Result } from 'clade/evaluator';
import { buildLibrary } from './build.ts';
import { checkSizes, summarise } from './cells.ts';
import { checkGates } from './gates.ts';
import { checkReach, reachOf } from './reach.ts';
import { resultOf, tableOf } from './report.ts';
import { prepareRoot } from './root.ts';
import { measureRounds } from './rounds.ts';
import { seedOf } from './seed.ts';
import { settingsOf } from './settings.ts';

/**
 * `clade-zstd`: judges a Zstandard library, or another with the same functions, against the root's. `clade-zstd prepare` builds
 * the root and the driver into the cache, which evaluations may then find read-only.
 */

async function evaluate(args: readonly string[]): Promise<Result> {
  const settings = settingsOf(options(args));
  const { cwd, ...given } = { cwd: process.cwd(), ...contract() };
  const seed = seedOf(given);
  const root = await prepareRoot(given, settings);
  const scratch = mkdtempSync(join(tmpdir(), 'zstd-'));
  try {
    const plan = { directory: cwd, whose: 'candidate', into: join(scratch, 'build'), objects: root.objects } as const;
    const library = await buildLibrary(plan, settings);
    const isRoot = library.identity === root.library.identity;
    checkReach(await reachOf(root.library.path), await reachOf(library.path));
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
    return resultOf({ summary, memory, identity: library.identity, isRoot });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Its answer goes nowhere: what counts is the cache. */
async function prepare(args: readonly string[]): Promise<Result> {
  const { library } = await prepareRoot(contract(), settingsOf(options(args)));
  return { status: 'valid', objectives: {}, identity: library.identity, summary: 'the root is built' };
}

const [mode, ...rest] = process.argv.slice(2);
await main(async () => (mode === 'prepare' ? await prepare(rest) : await evaluate(process.argv.slice(2))));
