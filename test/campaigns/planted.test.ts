import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BEST_SCORE, judge, MODULES } from '../../campaigns/planted/judge.mjs';
import { CAMPAIGNS, copyTarget, runEvaluator, temporaryFolder } from './run.ts';

const TARGET = join(CAMPAIGNS, 'planted', 'target');

/** Strategies by module; 3, the root's, where none is given. */
const judged = (strategies: Readonly<Record<string, number>>) =>
  judge((name) => `/** Whatever. */\nexport const strategy = ${strategies[name] ?? 3};\n`);

const OPTIMUM = { loader: 2, parser: 5, planner: 4, cache: 1 };

describe('the judge of planted', () => {
  it('gives nothing for one right module of a pair, and one for both', () => {
    expect(judged({})).toMatchObject({ status: 'valid', objectives: { score: 0 } });
    expect(judged({ loader: 2 })).toMatchObject({ objectives: { score: 0 } });
    expect(judged({ parser: 5, planner: 4 })).toMatchObject({ objectives: { score: 0 } });
    expect(judged({ loader: 2, parser: 5 })).toMatchObject({ objectives: { score: 1 } });
    expect(judged(OPTIMUM)).toMatchObject({ objectives: { score: BEST_SCORE } });
  });

  it('charges every strategy of a module differently, from 1 to 8', () => {
    for (const module of MODULES) {
      const costs = [0, 1, 2, 3, 4, 5, 6, 7].map((strategy) => {
        const verdict = judged({ [module]: strategy });
        return verdict.status === 'valid' ? verdict.objectives.cost : Number.NaN;
      });
      expect(new Set(costs).size).toBe(8);
      expect(Math.max(...costs) - Math.min(...costs)).toBe(7);
    }
  });

  it('has one identity for all ways to write the same strategies', () => {
    const plain = judge(() => 'export const strategy = 3;');
    const commented = judge(() => '// three\nexport  const strategy=3');
    expect(commented).toEqual(plain);
  });

  it.each([
    ['no number', 'export const strategy = x;', 'build'],
    ['a fraction', 'export const strategy = 3.5;', 'build'],
    ['a sign', 'export const strategy = -3;', 'build'],
    ['two statements', 'export const strategy = 3;\nexport const strategy = 3;', 'build'],
    ['nothing', '', 'build'],
    ['a strategy that is not there', 'export const strategy = 8;', 'test'],
  ])('refuses %s', (_, text, kind) => {
    expect(judge((name) => (name === 'cache' ? text : 'export const strategy = 3;'))).toMatchObject({
      status: 'invalid',
      kind,
    });
  });

  it('refuses a missing module', () => {
    expect(judge(() => undefined)).toMatchObject({ status: 'invalid', kind: 'build' });
  });
});

describe('the evaluator of planted', () => {
  it('judges the files of a checkout', async () => {
    await using folder = await temporaryFolder();
    const checkout = join(folder.path, 'checkout');
    await copyTarget(TARGET, checkout);
    const root = await runEvaluator('planted', checkout, TARGET, folder.path);
    expect(root).toMatchObject({ exitCode: 0, result: { status: 'valid', objectives: { score: 0 } } });
    for (const [name, strategy] of Object.entries(OPTIMUM)) {
      const file = join(checkout, 'modules', `${name}.js`);
      await writeFile(file, (await readFile(file, 'utf8')).replace('= 3', `= ${strategy}`));
    }
    const best = await runEvaluator('planted', checkout, TARGET, folder.path);
    expect(best.result).toMatchObject({ status: 'valid', objectives: { score: BEST_SCORE } });
  });
});
