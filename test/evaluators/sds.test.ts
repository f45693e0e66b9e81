import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annealing } from '../../evaluators/sds/baseline/annealing.ts';
import { branchAndBound } from '../../evaluators/sds/baseline/branch-and-bound.ts';
import { greedy } from '../../evaluators/sds/baseline/greedy.ts';
import { localSearch } from '../../evaluators/sds/baseline/local-search.ts';
import { generate } from '../../evaluators/sds/generate.ts';
import { type Instance, violations, worthOf } from '../../evaluators/sds/instance.ts';
import { KINDS } from '../../evaluators/sds/kinds.ts';
import { seeded } from '../../evaluators/sds/random.ts';
import { bestKnown, solveReference } from '../../evaluators/sds/reference.ts';
import { gapTo, hardnessOf, rewardOf, scoreOf } from '../../evaluators/sds/score.ts';
import { State } from '../../evaluators/sds/state.ts';
import { CAMPAIGNS, copyTarget, temporaryFolder } from '../campaigns/run.ts';
import { type ReadyRun, runReady } from './run-ready.ts';

/** An instance of the type with few items, so that all choices can be tried. */
function small(kind: (typeof KINDS)[number], seed: number, n = 11): Instance {
  const { wanted, ...draft } = kind.draft(seeded(seed), n);
  return { name: `${kind.type}-${seed}`, type: kind.type, n, ...draft, cardinality: [0, wanted[1]] };
}

/** The largest value of all feasible choices, by trying every one. */
function bruteForce(instance: Instance): number {
  let best = -Infinity;
  for (let mask = 0; mask < 2 ** instance.n; mask += 1) {
    const items = [...Array(instance.n).keys()].filter((item) => (mask >> item) & 1);
    if (violations(instance, items).length === 0) best = Math.max(best, worthOf(instance, items));
  }
  return best;
}

const MIXED = KINDS.find(({ type }) => type === 'mixed-sign') ?? failure('mixed-sign');
const EVERYTHING = KINDS.find(({ type }) => type === 'everything') ?? failure('everything');

function failure(type: string): never {
  throw new Error(`there is no type ${type}`);
}

const each = KINDS.flatMap((kind) => [1, 2, 3].map((seed) => ({ name: `${kind.type} ${seed}`, kind, seed })));

describe('the generator', () => {
  const generated = generate(7, 3, 'train');

  it('makes ten types, every instance with a feasible choice', () => {
    expect(new Set(generated.map(({ instance }) => instance.type)).size).toBe(10);
    for (const { instance, witness } of generated) expect(violations(instance, witness), instance.name).toEqual([]);
  });

  it('depends on the seed and on nothing else', () => {
    expect(generate(7, 3, 'train')).toEqual(generated);
    const other = generate(8, 3, 'train');
    for (const [index, { instance }] of other.entries()) {
      expect(instance.weights).not.toEqual(generated[index]?.instance.weights);
    }
  });

  it('gives each type the constraints of its description', () => {
    const has = (type: string, key: 'precedence' | 'exclusions' | 'groups') =>
      generated.filter(({ instance }) => instance.type === type).every(({ instance }) => instance[key].length > 0);
    expect(has('chains', 'precedence') && has('trees', 'precedence') && has('everything', 'precedence')).toBe(true);
    expect(has('conflicts', 'exclusions') && has('everything', 'exclusions')).toBe(true);
    expect(has('partitions', 'groups') && has('everything', 'groups')).toBe(true);
    for (const { instance } of generated) {
      for (const [first, then] of instance.precedence) expect(first).toBeLessThan(then);
      expect(new Set(instance.pairs.map(([i, j]) => `${i} ${j}`)).size).toBe(instance.pairs.length);
    }
  });
});

describe('feasibility', () => {
  const instance: Instance = {
    name: 'hand-made',
    type: 'hand-made',
    n: 5,
    weights: [1, 2, 3, 4, 5],
    pairs: [
      [0, 1, 10],
      [1, 4, -3],
    ],
    cardinality: [1, 3],
    precedence: [[0, 1]],
    exclusions: [[2, 3]],
    groups: [{ items: [0, 3, 4], limit: 2 }],
  };

  it('names every kind of violation', () => {
    expect(violations(instance, [0, 1, 4])).toEqual([]);
    expect(violations(instance, [])[0]).toContain('at least 1');
    expect(violations(instance, [0, 1, 2, 4])[0]).toContain('at most 3');
    expect(violations(instance, [1])[0]).toContain('precondition 0');
    expect(violations(instance, [2, 3])[0]).toContain('exclude');
    expect(violations(instance, [0, 3, 4])[0]).toContain('group 0');
    expect(violations(instance, [5])[0]).toContain('no such');
    expect(violations(instance, [0.5])[0]).toContain('no such');
    expect(violations(instance, [0, 0])[0]).toContain('twice');
  });

  it('counts weights and pairs', () => {
    expect(worthOf(instance, [0, 1, 4])).toBe(1 + 2 + 5 + 10 - 3);
  });
});

describe('the baselines', () => {
  it.each(each)('branch and bound finds the optimum of $name and proves it', ({ kind, seed }) => {
    const instance = small(kind, seed);
    const { items, proven } = branchAndBound(instance, -Infinity, 1e6);
    expect(proven).toBe(true);
    expect(violations(instance, items ?? [-1])).toEqual([]);
    expect(worthOf(instance, items ?? [])).toBe(bruteForce(instance));
    expect(branchAndBound(instance, bruteForce(instance), 1e6)).toEqual({ items: null, proven: true });
  });

  it('branch and bound claims no proof when its nodes run out', () => {
    const instance = small(MIXED, 1);
    expect(branchAndBound(instance, -Infinity, 20).proven).toBe(false);
  });

  it.each(each)('keep to the constraints of $name, and each is no worse than the one before', ({ kind, seed }) => {
    const instance = small(kind, seed, 30);
    const start = greedy(instance);
    const greedyValue = start.value;
    expect(violations(instance, start.items())).toEqual([]);
    expect(start.value).toBe(worthOf(instance, start.items()));
    const local = localSearch(start);
    expect(violations(instance, local.items())).toEqual([]);
    expect(local.value).toBe(worthOf(instance, local.items()));
    expect(local.value).toBeGreaterThanOrEqual(greedyValue);
    const localValue = local.value;
    const annealed = annealing(local, seeded(1)) ?? [-1];
    expect(violations(instance, annealed)).toEqual([]);
    expect(worthOf(instance, annealed)).toBeGreaterThanOrEqual(localValue);
  });

  it('undo what they try', () => {
    const instance = small(EVERYTHING, 4, 24);
    const state = new State(instance);
    const order = seeded(3).shuffle([...Array(24).keys()]);
    for (const item of order) if (!state.has(item)) state.addAll(state.withPreconditions(item));
    const before = { value: state.value, items: state.items() };
    for (const item of state.items()) {
      const out = state.withDependants(item);
      for (const removed of out) state.remove(removed);
      for (const removed of out.toReversed()) state.add(removed);
    }
    expect({ value: state.value, items: state.items() }).toEqual(before);
    for (let item = 0; item < 24; item += 1) expect(state.canAdd(item) && state.has(item)).toBe(false);
  });

  it('give a reference that is the best of them', () => {
    for (const generated of generate(3, 1, 'train')) {
      const reference = solveReference(generated);
      const best = bestKnown(reference);
      for (const value of [reference.greedy, reference.local, reference.annealing, reference.exact])
        expect(value ?? best).toBeLessThanOrEqual(best);
      if (reference.proven) expect(reference.exact).toBe(best);
    }
  });
});

describe('scores', () => {
  it('are gaps to the virtual best solver, which is the solver itself when it is best', () => {
    expect(scoreOf(90, 100)).toEqual({ vbs: 100, gap: 0.1 });
    expect(scoreOf(110, 100)).toEqual({ vbs: 110, gap: 0 });
    expect(gapTo(-10, -15)).toBe(0.5);
    expect(gapTo(0, -1)).toBe(1);
    expect(gapTo(100, null)).toBe(1);
  });

  it('tell hardness by what greedy misses', () => {
    expect([100, 99.1, 99, 90.1, 90, 0, null].map((value) => hardnessOf(100, value))).toEqual([
      ...['trivial', 'trivial', 'moderate', 'moderate', 'hard', 'hard', 'hard'],
    ]);
  });

  it('reward only what is feasible', () => {
    expect(rewardOf(true, true, 0)).toBeCloseTo(1);
    expect(rewardOf(true, true, 0.5)).toBeCloseTo(0.65);
    expect(rewardOf(true, true, null)).toBeCloseTo(0.3);
    expect(rewardOf(false, true, null)).toBeCloseTo(0.2);
    expect(rewardOf(false, false, null)).toBe(0);
  });
});

describe('the evaluator of sds', () => {
  const TARGET = join(CAMPAIGNS, 'sds', 'target');
  /** Shared, so that the baselines are solved once. */
  let cache = '';
  beforeAll(async () => {
    cache = await mkdtemp(join(tmpdir(), 'clade-sds-'));
  });
  afterAll(() => rm(cache, { recursive: true }));

  /** One instance a type, with the root's solver changed. */
  async function evaluateWith(
    change: (text: string) => string,
    env: Record<string, string> = {},
    options: object = {},
  ): Promise<ReadyRun> {
    await using folder = await temporaryFolder();
    const checkout = join(folder.path, 'checkout');
    await copyTarget(TARGET, checkout);
    const file = join(checkout, 'solver.js');
    await writeFile(file, change(await readFile(file, 'utf8')));
    for (const split of ['train', 'holdout']) await writeFile(join(folder.path, `${split}.seed`), `secret of ${split}`);
    const hidden = (env.CLADE_HIDDEN ?? '').replaceAll('SCRATCH', folder.path);
    return await runReady({
      name: 'sds',
      options: { perType: 1, cpuSeconds: 1, ...options },
      checkout,
      root: TARGET,
      scratch: folder.path,
      env: { CLADE_CACHE: cache, ...env, CLADE_HIDDEN: hidden },
    });
  }

  const ending = (statements: string) => (text: string) =>
    text.replace('return best;', `${statements}\n  return best;`);

  it('measures the root, and a solver that searches more as better', async () => {
    const { exitCode, result } = await evaluateWith((text) => text);
    expect(exitCode).toBe(0);
    expect(result).toMatchObject({ status: 'valid', metrics: { instances: 10 } });
    const gap = result?.objectives?.gap ?? 0;
    expect(gap).toBeGreaterThan(0.05);
    const better = await evaluateWith((text) =>
      text.replace('round < 1', 'round < 30').replace('(selection, 1, 0)', '(selection, 3, 0)'),
    );
    expect(better.result?.objectives?.gap).toBeLessThan(gap * 0.9);
    expect(better.result?.metrics?.reward).toBeGreaterThan(result?.metrics?.reward ?? 1);
  });

  it('gives the same figures again, and others for another split or secret', async () => {
    const gapOf = async (env: Record<string, string>) =>
      (await evaluateWith((text) => text, env)).result?.objectives?.gap;
    const plain = await gapOf({});
    expect(await gapOf({})).toBe(plain);
    const holdout = await gapOf({ CLADE_SPLIT: 'holdout' });
    expect(holdout).not.toBe(plain);
    const secret = await gapOf({ CLADE_SPLIT: 'holdout', CLADE_HIDDEN: 'SCRATCH/holdout.seed' });
    expect(secret).not.toBe(holdout);
    // The seed of another split has no part in it.
    expect(await gapOf({ CLADE_SPLIT: 'holdout', CLADE_HIDDEN: 'SCRATCH/train.seed' })).toBe(holdout);
  });

  it.each([
    ['a violated constraint', 'best = best.concat(best);', 'gate', 'twice'],
    ['too many items', 'best = [...Array(instance.n).keys()];', 'gate', 'at most'],
    ['an answer of another form', "best = 'all';", 'test', 'last line'],
    ['an exception', 'nowhere();', 'test', 'exit code 1'],
    ['an endless loop', 'for (;;);', 'benchmark', 'processor time'],
    ['an end without a word', 'process.exit(0);', 'test', 'last line'],
    ['chance', 'if (Math.random() < 0.5) best = best.slice(1);', null, ''],
    ['a look around', "process.getBuiltinModule('node:fs').readFileSync('/etc/passwd');", 'test', 'ERR_ACCESS_DENIED'],
    ['a process', "process.getBuiltinModule('node:child_process').execFileSync('true');", 'test', 'ERR_ACCESS_DENIED'],
    [
      'the environment',
      "if (Object.keys(process.env).some((name) => /^CLADE_|^HOME$/.test(name))) throw new Error('told');",
      'valid',
      '',
    ],
  ])('judges %s', async (_, statements, kind, words) => {
    const { exitCode, result } = await evaluateWith(ending(statements));
    expect(exitCode).toBe(0);
    if (kind === 'valid') expect(result).toMatchObject({ status: 'valid' });
    else if (kind === null) expect(result).toMatchObject({ status: 'invalid' });
    else {
      expect(result).toMatchObject({ status: 'invalid', kind });
      expect(`${result?.summary}\n${result?.evidence}`).toContain(words);
    }
  });

  it('runs a solver in another language', async () => {
    const command = ['/bin/sh', '-c', 'cat >/dev/null; echo \'{"items": []}\''];
    const { result } = await evaluateWith((text) => text, {}, { command });
    // Nothing chosen is feasible only where there is no least cardinality.
    expect(result).toMatchObject({ status: 'invalid', kind: 'gate', summary: expect.stringContaining('at least') });
  });

  it.each([{ commands: [] }, { command: 'node' }, { perType: 0 }])(
    'calls the options %j the fault of the campaign',
    async (options) => {
      expect(await evaluateWith((text) => text, {}, options)).toMatchObject({ exitCode: 75, result: null });
    },
  );
});
