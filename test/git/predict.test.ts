import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { encodePath, predictTree, readCommit } from '../../src/git/index.ts';
import { commitOf, workshop } from './workshop.ts';

describe('predictTree', () => {
  it.each(['sha1', 'sha256'] as const)('says the tree that a proposal has (%s)', async (format) => {
    const { hub, root, checkout, propose } = await workshop(format);
    const worktree = await checkout('a');
    const names = ['src/main.c', 'src/run.sh', 'src/deep/er/file', 'src/deep-er', 'src/caf\\xE9', 'src/new/below/it'];
    const files = new Map(names.map((name) => [name, Buffer.from(`new ${name}\n`)]));
    const { tree } = await readCommit(hub, root);
    expect(await predictTree(hub, tree, new Map())).toBe(tree);
    const predicted = await predictTree(hub, tree, files);
    for (const [name, bytes] of files) {
      const path = Buffer.concat([Buffer.from(`${worktree}/`), encodePath(name)]);
      await mkdir(dirname(path.toString('latin1')), { recursive: true });
      await writeFile(path, bytes);
    }
    expect((await readCommit(hub, commitOf(await propose(worktree)))).tree).toBe(predicted);
  });
});
