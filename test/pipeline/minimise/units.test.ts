import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeTree, type Hub, listTree, readCommit } from '../../../src/git/index.ts';
import { type FileChange, readChanges, textOf } from '../../../src/pipeline/minimise/change.ts';
import { splitStatements } from '../../../src/pipeline/minimise/statements.ts';
import { fileUnits, keptChanges, placedFiles, spliceUnits, type Unit } from '../../../src/pipeline/minimise/unit.ts';
import { editAwkward } from '../../fixtures/awkward.ts';
import { workshop } from '../../git/workshop.ts';

/** The awkward repository with every kind of edit, and two texts that can be split. */
async function awkward() {
  const made = await workshop();
  const dir = await made.checkout('edits');
  await editAwkward(dir);
  await writeFile(join(dir, 'src/new.js'), 'a();\n\nfunction b() {\n  c();\n}\n');
  await appendFile(join(dir, 'src/becomes-folder/inside'), 'more\n');
  const proposed = await made.propose(dir, { scope: { edit: ['src/**', 'docs/**'], protect: [] } });
  if (proposed.kind !== 'commit') throw new Error('nothing was proposed');
  const { tree: rootTree } = await readCommit(made.hub, made.root);
  return { ...made, proposed, rootTree, changes: await readChanges(made.hub, made.root, proposed.commit) };
}

const compose = (hub: Hub, root: string, changes: readonly FileChange[], units: readonly Unit[]) =>
  composeTree(hub, root, placedFiles(keptChanges(changes, units)));

const entries = async (hub: Hub, tree: string): Promise<Map<string, string>> =>
  new Map((await listTree(hub, tree)).map(({ path, mode, blob }) => [path, `${mode} ${blob}`]));

test('all units give the tree, none the root, and any others the files that they are', {
  timeout: 120_000,
}, async () => {
  const { hub, root, rootTree, proposed, changes } = await awkward();
  const units = fileUnits(changes);
  expect(await compose(hub, root, changes, units)).toBe(proposed.tree);
  expect(await compose(hub, root, changes, spliceUnits(changes))).toBe(proposed.tree);
  expect(await compose(hub, root, changes, [])).toBe(rootTree);
  const [before, after] = [await entries(hub, root), await entries(hub, proposed.tree)];
  const pathsOf = (change: FileChange): string[] => (change.kind === 'text' ? [change.path] : [...change.files.keys()]);
  await fc.assert(
    fc.asyncProperty(fc.subarray(units), async (some) => {
      const kept = new Set(some.flatMap(({ change }) => changes.slice(change, change + 1).flatMap(pathsOf)));
      const expected = new Map<string, string>();
      for (const [path, entry] of before) if (!kept.has(path)) expected.set(path, entry);
      for (const [path, entry] of after) if (kept.has(path)) expected.set(path, entry);
      const made = await entries(hub, await compose(hub, root, changes, some));
      expect(new Map([...made].sort())).toEqual(new Map([...expected].sort()));
    }),
    { numRuns: 15 },
  );
});

test('only plain texts are split; a file that makes way for a folder goes with it', async () => {
  const { changes } = await awkward();
  const texts = changes.flatMap((change) => (change.kind === 'text' ? [change.path] : []));
  expect(texts.sort()).toEqual(
    ['src/ -leading blank', 'src/From the start', 'src/MAIN.c', 'src/big.filtered', 'src/naïve-日本.c', 'src/new.js']
      .concat('src/two\nlines', 'src/with "quotes" and \\x5C back', 'src/caf\\xE9')
      .sort(),
  );
  const wholes = changes.flatMap((change) => (change.kind === 'whole' ? [[...change.files.keys()].sort().join()] : []));
  expect(wholes).toContain('src/becomes-folder,src/becomes-folder/inside');
  expect(wholes).toContain('src/deep/renamed.c,src/renamed-later.c');
  expect(wholes).toContain('src/main.c');
});

const textChange = (path: string, before: string, splices: { at: number; removed: number; added: string }[]) => ({
  kind: 'text' as const,
  path,
  mode: '100644',
  before: before.match(/.*\n/g) ?? [],
  splices: splices.map(({ added, ...rest }) => ({ ...rest, added: added.match(/.*\n/g) ?? [] })),
});

const splicesOf = async (change: FileChange) => {
  const [split] = await splitStatements([change]);
  if (split?.kind !== 'text' || change.kind !== 'text') throw new Error('no text');
  expect(textOf(split)).toEqual(textOf(change));
  return split.splices.map(({ at, removed, added }) => [at, removed, added.join('')]);
};

test('a hunk is cut along its statements, a changed one together with what it was', async () => {
  const before = 'def f(x):\n    a = x + 1\n    b = a * 2\n    return b\n';
  const change = textChange('f.py', before, [
    {
      at: 1,
      removed: 2,
      added: '    # remember\n    seen.add(x)\n    a = x + 2\n    for y in x:\n        use(y)\n    b = a * 3\n',
    },
  ]);
  expect(await splicesOf(change)).toEqual([
    [1, 0, '    # remember\n    seen.add(x)\n'],
    [1, 1, '    a = x + 2\n'],
    [2, 0, '    for y in x:\n        use(y)\n'],
    [2, 1, '    b = a * 3\n'],
  ]);
});

test('a new file falls into its functions and statements; removed ones are on their own', async () => {
  expect(
    await splicesOf(textChange('n.js', '', [{ at: 0, removed: 0, added: 'a();\n\nfunction b() {\n  c();\n}\n' }])),
  ).toEqual([
    [0, 0, 'a();\n'],
    [0, 0, '\nfunction b() {\n  c();\n}\n'],
  ]);
  expect(await splicesOf(textChange('n.js', 'a();\nb();\nc();\n', [{ at: 0, removed: 2, added: '' }]))).toEqual([
    [0, 1, ''],
    [1, 1, ''],
  ]);
});

test('what no grammar knows or nothing tells apart stays one hunk', async () => {
  const splice = { at: 0, removed: 1, added: 'one\ntwo\n' };
  expect(await splicesOf(textChange('n.txt', 'zero\n', [splice]))).toHaveLength(1);
  expect(await splicesOf(textChange('n.js', 'zero();\n', [{ ...splice, added: 'one = 1;\ntwo = 2;\n' }]))).toHaveLength(
    1,
  );
});

test('any rewriting of any lines is the same text in pieces', async () => {
  const line = fc.constantFrom(
    'a = b + 1;',
    'if (a) {',
    '}',
    '',
    '// note',
    'call(a, b);',
    'const t = [',
    '  1,',
    '];',
  );
  const text = fc.array(line, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, text, text, text, async (head, old, made, tail) => {
      const join = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join('');
      const whole = join([...head, ...old, ...tail]);
      await splicesOf(textChange('x.js', whole, [{ at: head.length, removed: old.length, added: join(made) }]));
    }),
    { numRuns: 200 },
  );
});
