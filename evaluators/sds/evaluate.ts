#!/usr/bin/env node
import { contract, invalid, main, options, type Result, splitSeed } from 'clade/evaluator';
import { type Generated, generate } from './generate.ts';
import { readSettings, type Settings } from './options.ts';
import { bestKnown, type Reference, references } from './reference.ts';
import { type Measured, report } from './report.ts';
import { gapTo, mean, rewardOf, scoreOf } from './score.ts';
import { type Answer, solve } from './solver.ts';

/** Of an answer that fails; see `Answer`. */
const VERDICTS = { format: 'test', exec: 'test', late: 'benchmark', infeasible: 'gate' } as const;

/**
 * Evaluates the solver in the current folder on all instances of the split: one fixed solver for all of them. The baselines are
 * solved once and kept in the cache.
 */
async function evaluate(): Promise<Result> {
  const settings = readSettings(options());
  const where = contract();
  const generated = generate(splitSeed(where), settings.perType, where.split);
  const known = references(generated, where.cache);
  const measured = await answerAll(generated, known, settings);
  await checkRepeatable(measured, settings);
  return report(measured);
}

async function answerAll(
  generated: readonly Generated[],
  known: readonly Reference[],
  { command, cpuSeconds }: Settings,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const rewards = generated.map(() => 0);
  const failures: { name: string; answer: Exclude<Answer, { kind: 'feasible' }> }[] = [];
  for (const [index, { instance }] of generated.entries()) {
    const reference = known[index];
    if (reference === undefined) throw new Error(`there is no reference for ${instance.name}`);
    const answer = await solve(instance, command, process.cwd(), cpuSeconds);
    if (answer.kind === 'feasible') {
      const { vbs, gap } = scoreOf(answer.value, bestKnown(reference));
      rewards[index] = rewardOf(true, true, gap);
      measured.push({ instance, reference, answer, vbs, gap });
    } else {
      rewards[index] = rewardOf(
        answer.kind === 'infeasible',
        answer.kind === 'infeasible' || answer.kind === 'format',
        null,
      );
      failures.push({ name: instance.name, answer });
      // Each further one would take its whole time again.
      if (answer.kind === 'late') break;
    }
  }
  const [first] = failures;
  if (first === undefined) return measured;
  const lines = failures.slice(0, 5).map(({ name, answer }) => `${name}: ${answer.kind}: ${answer.detail}`);
  return invalid(
    VERDICTS[first.answer.kind],
    `${failures.length} of ${generated.length} answers are no solutions, the first to ${first.name}: ${first.answer.detail.split('\n')[0]}`,
    `${lines.join('\n')}\nreward ${mean(rewards).toFixed(4)} (1 is a best answer to everything)\n`,
  );
}

/** Equal input must give an equal answer; the smallest instance of every type is asked again. */
async function checkRepeatable(measured: readonly Measured[], { command, cpuSeconds }: Settings): Promise<void> {
  const types = Map.groupBy(measured, ({ instance }) => instance.type);
  for (const [{ instance, answer, vbs } = never()] of types.values()) {
    const again = await solve(instance, command, process.cwd(), cpuSeconds);
    if (again.kind === 'feasible' && again.items.join() === answer.items.join()) continue;
    const other = again.kind === 'feasible' ? `a gap of ${gapTo(vbs, again.value).toFixed(4)}` : again.detail;
    invalid(
      'test',
      `two runs on ${instance.name} differ: a solver must be deterministic`,
      `the second run: ${other}\n`,
    );
  }
}

function never(): never {
  throw new Error('a group has a first member');
}

await main(evaluate);
