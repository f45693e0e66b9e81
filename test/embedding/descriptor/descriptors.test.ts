import { describe, expect, it } from 'vitest';
import {
  type ChangedFile,
  createDescriptor,
  type DescriptorInput,
  descriptorKinds,
  type RepositoryVector,
  type SyntaxChange,
} from '../../../src/embedding/index.ts';
import { ConfigurationError } from '../../../src/errors.ts';

const vectorOf = (...sum: number[]): RepositoryVector => ({ sum: Float64Array.from(sum), count: 2, depth: 0 });

const FILE: ChangedFile = {
  path: 'a.c',
  status: 'modified',
  hunks: [{ text: '-a\n+b\n+c\n', added: 2, deleted: 1 }],
};
const SYNTAX: SyntaxChange = {
  before: { kinds: { call: 3, block: 1 }, depth: 4, cyclomatic: 2 },
  after: { kinds: { call: 5, block: 1 }, depth: 7, cyclomatic: 3 },
};

const ROOT: DescriptorInput = {
  candidate: vectorOf(1, 2, 3),
  root: vectorOf(1, 2, 3),
  hunks: new Float32Array(4),
  change: { files: [], syntax: [] },
  features: { candidate: { branches: 12, loops: 0 }, root: { branches: 12, loops: 0 } },
  tree: 'a'.repeat(40),
};

const CANDIDATE: DescriptorInput = {
  ...ROOT,
  candidate: vectorOf(1, 5, 7),
  hunks: Float32Array.of(0, 1, 0, 0),
  change: { files: [FILE], syntax: [SYNTAX] },
  features: { candidate: { branches: 14, loops: 1, extra: 9 }, root: { branches: 12, loops: 0 } },
  tree: 'b'.repeat(40),
};

/** The parts of the input by the name under which a descriptor asks for them. */
const PARTS = { hunks: 'hunks', change: 'change', features: 'features', tree: 'tree' } as const;

describe.each(descriptorKinds)('the descriptor %s', (kind) => {
  const descriptor = createDescriptor(kind);

  it('tells a candidate from the root, the same way each time, by finite numbers of one length', () => {
    const [root, candidate] = [descriptor.describe(ROOT), descriptor.describe(CANDIDATE)];
    expect(candidate).not.toEqual(root);
    expect(descriptor.describe(CANDIDATE)).toEqual(candidate);
    expect(candidate).toHaveLength(root.length);
    for (const x of [...root, ...candidate]) expect(Number.isFinite(x)).toBe(true);
  });

  it('needs exactly what it says', () => {
    const { candidate, root } = CANDIDATE;
    const given = descriptor.needs.flatMap((need) => (need === 'repository' ? [] : [[need, CANDIDATE[PARTS[need]]]]));
    const only: DescriptorInput = { candidate, root, ...Object.fromEntries(given) };
    expect(descriptor.describe(only)).toEqual(descriptor.describe(CANDIDATE));
    if (given.length > 0) expect(() => descriptor.describe({ candidate, root })).toThrow(TypeError);
  });
});

describe('structural', () => {
  const { describe: vector } = createDescriptor('structural');
  const log = (x: number) => Math.sign(x) * Math.log1p(Math.abs(x));

  it('counts files, hunks and lines, and the growth of complexity and depth', () => {
    const expected = [1, 0, 0, 1, 1, 2, 1, 1, 3].map((x, index) => (index === 0 ? x : log(x)));
    for (const [index, x] of vector(CANDIDATE).slice(0, 9).entries()) expect(x).toBeCloseTo(expected[index] ?? NaN, 6);
  });

  it('is the same in two languages that call their nodes alike, and blind to names', () => {
    expect(vector({ ...CANDIDATE, change: { files: [{ ...FILE, path: 'b.rs' }], syntax: [SYNTAX] } })).toEqual(
      vector(CANDIDATE),
    );
  });

  it('sees a kind of node come or go, and nothing in one that stays', () => {
    const after = { kinds: { call: 3, block: 1, loop: 1 }, depth: 4, cyclomatic: 2 };
    const kinds = (file: SyntaxChange) => [...vector({ ...CANDIDATE, change: { files: [], syntax: [file] } }).slice(9)];
    expect(kinds({ ...SYNTAX, after: SYNTAX.before }).every((x) => x === 0)).toBe(true);
    expect(kinds({ ...SYNTAX, after }).filter((x) => x !== 0)).toHaveLength(1);
    expect(kinds({ ...SYNTAX, before: after, after: SYNTAX.before })).toEqual(
      kinds({ ...SYNTAX, after }).map((x) => 0 - x),
    );
  });
});

describe('features', () => {
  const { describe: vector } = createDescriptor('features');

  it('measures from the root, by name, and lets candidates neither add nor lack one', () => {
    const of = (candidate: Record<string, number>) => [
      ...vector({ ...ROOT, features: { candidate, root: { b: 10, a: 0 } } }),
    ];
    expect(of({ a: 0, b: 10 })).toEqual([1, 0, 0]);
    expect(of({})).toEqual([1, 0, 0]);
    expect(of({ b: 20, a: 0, c: 5 })).toEqual([1, 0, Math.fround(Math.log(2))]);
    expect(of({ a: -1 })).toEqual([1, Math.fround(-Math.log(2)), 0]);
  });

  it('is refused when the evaluator has none', () => {
    expect(() => vector({ ...ROOT, features: { candidate: {}, root: {} } })).toThrow(ConfigurationError);
  });
});

describe('random', () => {
  it('depends on the tree and on nothing else', () => {
    const { describe: vector } = createDescriptor('random');
    expect(vector({ ...CANDIDATE, tree: 'x' })).toEqual(vector({ ...ROOT, tree: 'x' }));
  });
});
