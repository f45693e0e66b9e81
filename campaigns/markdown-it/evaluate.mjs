#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSources } from './corpus.mjs';
import { checkCommonMark, checkEquality, checkScope, readBundle } from './gates.mjs';
import { measureThroughput, OutputError } from './measure.mjs';
import { Version, VersionError } from './version.mjs';

/**
 * Evaluates the markdown-it in the current folder against the root: gates first, then paired throughput. The result goes
 * to CLADE_RESULT. Exits with 75 when the machine, or the root itself, is at fault.
 */

/** @returns {Promise<object>} the result of the evaluator contract */
async function evaluate() {
  const rootDirectory = process.env.CLADE_ROOT_DIR;
  if (rootDirectory === undefined) throw new Error('CLADE_ROOT_DIR is not set');
  const candidateDirectory = process.cwd();
  const modules = join(rootDirectory, 'node_modules');
  const sources = readSources(modules);
  const seed = seedOf(process.env.CLADE_SEED ?? '', process.env.CLADE_SPLIT ?? '');
  const { text, identity } = readBundle(candidateDirectory);

  const refusal =
    checkScope(readBundle(rootDirectory).text, text) ??
    (await checkOutput({ rootDirectory, candidateDirectory, modules, sources, seed }));
  if (refusal !== null) return { status: 'invalid', ...refusal };

  const { ratio, lower, upper, standardError, rounds, rootMegabytesPerSecond } = await measureThroughput({
    rootDirectory,
    candidateDirectory,
    sources,
    seed,
  });
  // The root is 1 by definition; its own measurement shows the noise, as the interval.
  const isRoot = identity === readBundle(rootDirectory).identity;
  const percent = (factor) => `${factor >= 1 ? '+' : ''}${((factor - 1) * 100).toFixed(2)} %`;
  return {
    status: 'valid',
    objectives: { throughput: isRoot ? 1 : lower },
    intervals: { throughput: [lower, upper] },
    identity,
    metrics: { ratio, standard_error: standardError, rounds, root_megabytes_per_second: rootMegabytesPerSecond },
    summary: `throughput ${percent(ratio)} (95 % interval ${percent(lower)} to ${percent(upper)}, ${rounds} rounds)`,
    evidence: `All CommonMark examples pass and the output equals the root's. The standard error of the log ratio is ${standardError.toFixed(4)}.\n`,
  };
}

async function checkOutput({ rootDirectory, candidateDirectory, modules, sources, seed }) {
  const root = await startRoot(rootDirectory, sources);
  try {
    const candidate = await Version.start(candidateDirectory, sources);
    try {
      return (await checkCommonMark(candidate, modules)) ?? (await checkEquality(root, candidate, sources, seed));
    } finally {
      candidate.stop();
    }
  } finally {
    root.stop();
  }
}

async function startRoot(directory, sources) {
  try {
    return await Version.start(directory, sources);
  } catch (cause) {
    throw new Error('the root cannot be loaded', { cause });
  }
}

/** Splits differ in their documents; 31 bits leave room for the rounds. */
function seedOf(seed, split) {
  return createHash('sha256').update(`${seed}\n${split}`).digest().readUInt32BE() >>> 1;
}

/** A failure of the candidate as a result; anything else is thrown on. */
function resultOf(error) {
  const invalid = (kind) => ({
    status: 'invalid',
    kind,
    summary: error.message.split('\n')[0],
    evidence: error.message,
  });
  if (error instanceof VersionError) return invalid(error.kind);
  if (error instanceof OutputError) return invalid('gate');
  throw error;
}

try {
  const result = JSON.stringify(await evaluate().catch(resultOf));
  if (process.env.CLADE_RESULT) writeFileSync(process.env.CLADE_RESULT, result);
  else console.log(result);
} catch (error) {
  console.error(error);
  process.exitCode = 75;
}
