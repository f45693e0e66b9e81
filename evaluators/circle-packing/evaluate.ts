#!/usr/bin/env node
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, invalid, main, options, type Result } from 'clade/evaluator';
import { draw } from './draw.ts';
import { describe } from './evidence.ts';
import { judge } from './judge.ts';
import { readSettings } from './options.ts';
import { runProgram } from './run.ts';
import { readSource } from './source.ts';

/**
 * Evaluates the circle packing in the current folder: reads its source, runs it twice, judges the packing exactly and leaves a
 * picture. The library beside the program is the root's: what a candidate does to its own copy has no effect.
 */
async function evaluate(): Promise<Result> {
  const { circles: count, side, cpuSeconds, maxCost } = readSettings(options());
  const { rootDir, artifacts } = contract();
  const { files, cost, identity } = readSource(process.cwd());
  if (!files.has('pack.js')) invalid('build', 'there is no file pack.js');
  if (cost > maxCost) invalid('scope', `the source costs ${cost} units, more than ${maxCost}`);

  const run = await runProgram(files, join(rootDir, 'lib'), 2, cpuSeconds);
  if (run.kind === 'failed') return invalid(run.verdict, `pack() failed: ${run.detail.split('\n').at(0)}`, run.detail);
  const [first = '', second] = run.texts;
  if (first !== second) invalid('test', 'two runs gave different packings: the constructor must be deterministic');
  const verdict = judge(first, count, side);
  if (verdict.kind === 'refused') return invalid('gate', verdict.summary, verdict.evidence);

  const { circles, sum } = verdict;
  const radii = circles.map(({ r }) => r);
  const summary = `sum of radii ${sum.toFixed(6)}, cost ${cost}`;
  writeFileSync(join(artifacts, 'packing.svg'), draw(circles, side, summary));
  return {
    status: 'valid',
    objectives: { sum_radii: sum, cost },
    identity,
    metrics: {
      density: (Math.PI * radii.reduce((area, r) => area + r * r, 0)) / side ** 2,
      smallest_radius: Math.min(...radii),
      largest_radius: Math.max(...radii),
    },
    summary,
    evidence: describe(circles, side),
  };
}

await main(evaluate);
