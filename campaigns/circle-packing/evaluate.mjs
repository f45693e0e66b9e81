#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { draw } from './draw.mjs';
import { describe } from './evidence.mjs';
import { judge } from './judge.mjs';
import { runProgram } from './run.mjs';
import { readSource } from './source.mjs';

/**
 * Evaluates the circle packing in the current folder: reads its source, runs it twice, judges the packing exactly and
 * writes the result to CLADE_RESULT and a picture to CLADE_ARTIFACTS. Exits with 75 when the machine is at fault.
 */

/** More source than any honest constructor needs. */
const MAX_COST = 20_000;

/** @returns {Promise<object>} the result of the evaluator contract */
async function evaluate() {
  const { files, cost, identity } = readSource(process.cwd());
  if (!files.has('pack.js')) return invalid('build', 'there is no file pack.js');
  if (cost > MAX_COST) return invalid('scope', `the source costs ${cost} units, more than ${MAX_COST}`);

  const run = await runProgram(files, join(rootDirectory(), 'lib'), 2);
  if (run.kind === 'failed') return invalid(run.verdict, `pack() failed: ${run.detail.split('\n').at(0)}`, run.detail);
  const [first, second] = run.texts;
  if (first !== second)
    return invalid('test', 'two runs gave different packings: the constructor must be deterministic');
  const verdict = judge(first);
  if (verdict.kind === 'refused') return invalid('gate', verdict.summary, verdict.evidence);

  const { circles, sum } = verdict;
  const radii = circles.map(({ r }) => r);
  const summary = `sum of radii ${sum.toFixed(6)}, cost ${cost}`;
  if (process.env.CLADE_ARTIFACTS)
    writeFileSync(join(process.env.CLADE_ARTIFACTS, 'packing.svg'), draw(circles, summary));
  return {
    status: 'valid',
    objectives: { sum_radii: sum, cost },
    identity,
    metrics: {
      density: Math.PI * radii.reduce((area, r) => area + r * r, 0),
      smallest_radius: Math.min(...radii),
      largest_radius: Math.max(...radii),
    },
    summary,
    evidence: describe(circles),
  };
}

/** The library is taken from the root: what a candidate does to its own copy has no effect. */
function rootDirectory() {
  const directory = process.env.CLADE_ROOT_DIR;
  if (directory === undefined) throw new Error('CLADE_ROOT_DIR is not set');
  return directory;
}

function invalid(kind, summary, evidence = '') {
  return { status: 'invalid', kind, summary, evidence };
}

try {
  const result = JSON.stringify(await evaluate());
  if (process.env.CLADE_RESULT) writeFileSync(process.env.CLADE_RESULT, result);
  else console.log(result);
} catch (error) {
  console.error(error);
  process.exitCode = 75;
}
