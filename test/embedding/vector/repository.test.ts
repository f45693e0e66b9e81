import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createDescriptor,
  type EmbeddingDeps,
  embedRoot,
  localProvider,
  memoryCache,
  needsRebase,
  REBASE_DEPTH,
  readEligibility,
  stepVector,
  updateVector,
} from '../../../src/embedding/index.ts';
import { type MemorySource, memorySource, type TestFile } from '../memory-source.ts';

function setup(ignored = ''): EmbeddingDeps & { readonly source: MemorySource } {
  return {
    provider: localProvider(64),
    cache: memoryCache(),
    source: memorySource(),
    eligibility: readEligibility([{ path: '.gitignore', text: ignored }]),
    signal: new AbortController().signal,
  };
}

const path = fc.constantFrom('a.c', 'b.c', 'src/c.c', 'src/d.py', 'out/e.c', 'f.png', 'Makefile', 'g.js');
const content = fc.oneof(
  fc
    .array(fc.constantFrom('x = 1;', 'y();', 'return z;', '}', ''), { minLength: 1, maxLength: 30 })
    .map((l) => l.join('\n')),
  fc.constantFrom('', 'nul\0', 'same', 'x'.repeat(600_000)),
  fc.constant(Buffer.from([0xff, 0xfe, 0x41])),
);
const file: fc.Arbitrary<TestFile> = fc.oneof(
  { weight: 6, arbitrary: content },
  { weight: 1, arbitrary: fc.record({ content, mode: fc.constantFrom('100755', '120000', '160000') }) },
);
const edit = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, file }),
  fc.record({ kind: fc.constant('delete' as const), path }),
  fc.record({ kind: fc.constant('rename' as const), path, to: path }),
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function applyEdit(files: Record<string, TestFile>, change: Edit): Record<string, TestFile> {
  const { [change.path]: old, ...rest } = files;
  if (change.kind === 'write') return { ...rest, [change.path]: change.file };
  return change.kind === 'rename' && old !== undefined ? { ...rest, [change.to]: old } : rest;
}

describe('the repository vector', () => {
  it('is the same to the bit by updates as from scratch, over any sequence of edits', async () => {
    const step = fc.array(edit, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const deps = setup('out/');
        let files: Record<string, TestFile> = { 'a.c': 'int a;', 'g.js': 'same', 'src/c.c': 'same' };
        deps.source.commit('0', files);
        let vector = await embedRoot(deps, deps.source.entries('0'));
        for (const [index, edits] of steps.entries()) {
          files = edits.reduce(applyEdit, files);
          deps.source.commit(`${index + 1}`, files);
          vector = await updateVector(deps, vector, await deps.source.changes(`${index}`, `${index + 1}`));
          const scratch = await embedRoot({ ...deps, cache: memoryCache() }, deps.source.entries(`${index + 1}`));
          expect(vector).toEqual({ ...scratch, depth: index + 1 });
        }
      }),
    );
  });

  it('is the mean of its files, and zero without any', async () => {
    const deps = setup();
    deps.source.commit('one', { 'a.c': 'alpha();' });
    deps.source.commit('two', { 'a.c': 'alpha();', 'b.c': 'beta = 2;', 'c.png': 'alpha();' });
    deps.source.commit('empty', {});
    const [one, two, empty] = await Promise.all(
      ['one', 'two', 'empty'].map((id) => embedRoot(deps, deps.source.entries(id))),
    );
    if (one === undefined || two === undefined || empty === undefined) throw new Error('no vector');
    expect(two.count).toBe(2);
    const mean = createDescriptor('repository-mean');
    expect(mean.describe({ candidate: two, root: one })[5]).toBeCloseTo((two.sum[5] ?? 0) / 2, 6);
    expect(mean.describe({ candidate: empty, root: one })).toEqual(new Float32Array(64));
  });

  it('reads and embeds only what changed', async () => {
    const deps = setup();
    deps.source.commit('root', { 'a.c': 'a();', 'b.c': 'b();', 'copy.c': 'a();' });
    deps.source.commit('child', { 'a.c': 'a();', 'b.c': 'b(1);', 'copy.c': 'a();' });
    const root = await embedRoot(deps, deps.source.entries('root'));
    expect(deps.source.reads).toHaveLength(2);
    await stepVector(deps, { parent: root, parentCommit: 'root', child: 'child' });
    expect(deps.source.reads).toHaveLength(3);
  });

  it('is computed from all files again at a fixed depth', async () => {
    const deps = setup();
    deps.source.commit('0', { 'a.c': 'n(0);' });
    let vector = await embedRoot(deps, deps.source.entries('0'));
    const depths: number[] = [];
    for (let child = 1; child <= REBASE_DEPTH + 1; child += 1) {
      deps.source.commit(`${child}`, { 'a.c': `n(${child});` });
      const rebase = needsRebase(vector);
      vector = await stepVector(deps, { parent: vector, parentCommit: `${child - 1}`, child: `${child}` });
      expect(vector.depth === 0).toBe(rebase);
      depths.push(vector.depth);
    }
    expect(depths).toEqual([...Array.from({ length: REBASE_DEPTH - 1 }, (_, index) => index + 1), 0, 1]);
  });
});

describe('the displacement', () => {
  it('has unit length, depends on the edit and not on the size of the repository, and is zero at the root', async () => {
    const deps = setup();
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`src/f${index}.c`, `int f${index};\n`]));
    deps.source.commit('root', { ...many, 'a.c': 'limit = 10;' });
    deps.source.commit('child', { ...many, 'a.c': 'limit = 11;' });
    deps.source.commit('small', { 'a.c': 'limit = 10;' });
    deps.source.commit('small child', { 'a.c': 'limit = 11;' });
    const vectorOf = (id: string) => embedRoot(deps, deps.source.entries(id));
    const { describe: displace } = createDescriptor('displacement');
    const [root, candidate] = [await vectorOf('root'), await vectorOf('child')];
    const moved = displace({ candidate, root });
    expect(Math.hypot(...moved)).toBeCloseTo(1, 6);
    expect(moved).toEqual(displace({ candidate: await vectorOf('small child'), root: await vectorOf('small') }));
    expect(displace({ candidate: root, root })).toEqual(new Float32Array(64));
    const back = await stepVector(deps, { parent: candidate, parentCommit: 'child', child: 'root' });
    expect(displace({ candidate: back, root })).toEqual(new Float32Array(64));
  });
});
