import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { VectorCache } from '../../src/embedding/index.ts';
import { generate, openDescriber } from '../../src/pipeline/index.ts';
import { agentThat, inputFor, SIGNAL, workshopOf } from './fixture.ts';

function memoryCache(): VectorCache & { readonly entries: Map<string, Float32Array> } {
  const entries = new Map<string, Float32Array>();
  return {
    entries,
    async get(keys) {
      return new Map(keys.flatMap((key) => (entries.has(key) ? [[key, entries.get(key) ?? new Float32Array()]] : [])));
    },
    async put(more) {
      for (const [key, vector] of more) entries.set(key, vector);
    },
  };
}

test('the root is embedded once, a step embeds what changed, and undoing it gives the root’s vector back', async () => {
  const workshop = await workshopOf();
  const cache = memoryCache();
  const describer = await openDescriber(workshop, { cache, access: null }, SIGNAL);
  expect(describer.root.count).toBeGreaterThan(0);
  const files = cache.entries.size;
  expect((await openDescriber(workshop, { cache, access: null }, SIGNAL)).root).toEqual(describer.root);
  expect(cache.entries.size).toBe(files);

  const agent = agentThat(async (task) => {
    await writeFile(join(task.worktree, 'src/main.js'), 'export const speed = 2 * 21;\n');
    return [{ type: 'finished', title: 'x', summary: '' }];
  });
  const made = await generate(workshop, agent, inputFor(workshop), SIGNAL);
  if (made.kind !== 'candidate') throw new Error(made.kind);
  const root = { commit: workshop.root.commit, vector: describer.root };
  const child = await describer.step(root, made.commit, SIGNAL);
  expect(cache.entries.size).toBe(files + 1);
  expect(child.sum).not.toEqual(describer.root.sum);
  const back = await describer.step({ commit: made.commit, vector: child }, workshop.root.commit, SIGNAL);
  expect(back.sum).toEqual(describer.root.sum);
});
