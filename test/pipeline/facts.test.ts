import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryCache } from '../../src/embedding/index.ts';
import { generate, openDescriber } from '../../src/pipeline/index.ts';
import { agentThat, inputFor, SIGNAL, workshopOf } from './fixture.ts';

/** A candidate with a loop in one file and another number in the other, and what `kind` says of it and of the root. */
async function factsFor(kind: string) {
  const search = `descriptor: {kind: ${kind}, provider: {kind: local, dimensions: 16}}`;
  const workshop = await workshopOf({ descriptor: search });
  const agent = agentThat(async (task) => {
    await writeFile(join(task.worktree, 'src/main.js'), 'for (;;) {}\nexport const speed = 1;\n');
    await writeFile(join(task.worktree, 'value.txt'), '7\n');
    return [{ type: 'finished', title: 'x', summary: '' }];
  });
  const made = await generate(workshop, agent, inputFor(workshop), SIGNAL);
  if (made.kind !== 'candidate') throw new Error(made.kind);
  const describer = await openDescriber(workshop, { cache: memoryCache(), access: null }, SIGNAL);
  return {
    describer,
    candidate: await describer.facts(made, SIGNAL),
    root: await describer.facts(workshop.root, SIGNAL),
    tree: made.tree,
  };
}

test('the embedding of the hunks, which the root does not have', async () => {
  const { candidate, root } = await factsFor('diff');
  expect(candidate.hunks).toHaveLength(16);
  expect(candidate.hunks?.some((x) => x !== 0)).toBe(true);
  expect(root.hunks).toEqual(new Float32Array(16));
  expect(candidate.change).toBeUndefined();
});

test('the diff and the syntax on both sides, where there is a grammar', async () => {
  const { candidate, root } = await factsFor('structural');
  expect(candidate.change?.files.map(({ path, hunks }) => [path, hunks[0]?.added])).toEqual([
    ['src/main.js', 1],
    ['value.txt', 1],
  ]);
  const [script, text] = candidate.change?.syntax ?? [];
  expect([script?.before?.cyclomatic, script?.after?.cyclomatic]).toEqual([0, 1]);
  expect(text).toEqual({ before: null, after: null });
  expect(root.change).toEqual({ files: [], syntax: [] });
});

test('nothing but the tree when nothing else is needed', async () => {
  for (const kind of ['random', 'displacement']) {
    const { candidate, tree } = await factsFor(kind);
    expect(candidate).toEqual({ tree });
  }
});
