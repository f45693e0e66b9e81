import { isUtf8 } from 'node:buffer';
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GitError } from '../../src/errors.ts';
import {
  carryOnto,
  formatSeries,
  formatSquashed,
  type Patch,
  provePatch,
  readCommit,
  resolve,
} from '../../src/git/index.ts';
import { editAwkward, git } from '../fixtures/awkward.ts';
import { commitOf, type Workshop, workshop } from './workshop.ts';

const HOSTILE_MESSAGE = `Try [this] — naïve\r

diff --git a/x b/x
--- a/x
From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001
From: Somebody <else@example.org>
-- >8 --
Index: nothing\0`;

/** root → awkward edits → a plain edit on top. */
async function line(shop: Workshop): Promise<{ first: string; winner: string; tree: string }> {
  const worktree = await shop.checkout('line');
  await editAwkward(worktree);
  const first = commitOf(await shop.propose(worktree, { message: HOSTILE_MESSAGE }));
  await appendFile(join(worktree, 'src/main.c'), 'int more;\n');
  await chmod(join(worktree, 'src/main.c'), 0o644);
  const winner = commitOf(await shop.propose(worktree, { base: first, ordinal: 2 }));
  return { first, winner, tree: (await readCommit(shop.hub, winner)).tree };
}

/** Applies patches as a person would: a clone of the source, plain `git am`, with whatever configuration they have. */
async function applyAsPerson(shop: Workshop, patches: readonly Patch[], config: string): Promise<string> {
  const home = join(shop.dir, 'person');
  const clone = join(home, 'clone');
  await mkdir(home, { recursive: true });
  await writeFile(join(home, '.gitconfig'), config);
  await git(shop.dir, ['clone', '-q', shop.source, clone], { HOME: home });
  for (const { name, bytes } of patches) {
    await writeFile(join(home, name), bytes);
    await git(clone, ['am', '-q', join(home, name)], { HOME: home });
  }
  return (await git(clone, ['rev-parse', 'HEAD^{tree}'], { HOME: home })).trim();
}

describe('patches', () => {
  it('give the very tree in a fresh clone, as a series and squashed', async () => {
    const shop = await workshop();
    const { winner, tree } = await line(shop);
    const series = await formatSeries(shop.hub, shop.root, winner);
    expect(series.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^0001-.*\.patch$/),
      expect.stringMatching(/^0002-.*\.patch$/),
    ]);
    const squashed = await formatSquashed(shop.hub, shop.root, winner, 'All of it');
    expect(squashed).toHaveLength(1);
    for (const [name, patches] of Object.entries({ series, squashed })) {
      const proof = await provePatch(shop.hub, { root: shop.root, patches, dir: join(shop.dir, name) });
      expect(proof.tree, name).toBe(tree);
      expect(await git(proof.dir, ['status', '--porcelain'])).toBe('');
    }
    expect(await formatSeries(shop.hub, shop.root, winner)).toEqual(series);
    expect(await formatSquashed(shop.hub, shop.root, winner, 'All of it')).toEqual(squashed);
    expect(await formatSeries(shop.hub, shop.root, shop.root)).toEqual([]);
    const text = series.map(({ bytes }) => bytes.toString()).join('');
    expect(text).toContain('rename from src/renamed-later.c');
    expect(text).toMatch(/-int main\(void\) { return 0; }\n\+int main\(void\) { return 1; }/);
    expect(text).not.toMatch(/[\r\0]/);
    expect(series.every(({ bytes }) => isUtf8(bytes))).toBe(true);
  });

  it('apply under configurations that people have', async () => {
    const configs = {
      noprefix: '[diff]\n\tnoprefix = true\n\tmnemonicPrefix = true\n\texternal = false\n',
      crlf: '[core]\n\tautocrlf = true\n',
      threeWay: '[am]\n\tthreeWay = true\n',
      whitespace: '[core]\n\twhitespace = trailing-space,cr-at-eol\n[apply]\n\twhitespace = warn\n',
    };
    for (const config of Object.values(configs)) {
      const shop = await workshop();
      const { winner, tree } = await line(shop);
      const series = await formatSeries(shop.hub, shop.root, winner);
      expect(await applyAsPerson(shop, series, config)).toBe(tree);
    }
  });

  it('keep the messages', async () => {
    const shop = await workshop();
    const { winner, first } = await line(shop);
    const patches = await formatSeries(shop.hub, shop.root, winner);
    const proof = await provePatch(shop.hub, { root: shop.root, patches, dir: join(shop.dir, 'proof') });
    const body = (await git(proof.dir, ['log', '-1', '--format=%b', 'HEAD~1'])).trim();
    const { message } = await readCommit(shop.hub, first);
    expect(message.split('\n')[0]).toBe('Try [this] — naïve');
    expect(body).toBe(message.split('\n').slice(2).join('\n').trim());
    expect(body).toContain('\n --- a/x\n');
  });

  it('are refused where they do not apply', async () => {
    const shop = await workshop();
    const { first, winner } = await line(shop);
    const patches = await formatSeries(shop.hub, first, winner);
    const proof = provePatch(shop.hub, { root: shop.root, patches, dir: join(shop.dir, 'proof') });
    await expect(proof).rejects.toThrow(GitError);
  });

  it('work for SHA-256 objects', async () => {
    const shop = await workshop('sha256');
    const { winner, tree } = await line(shop);
    const patches = await formatSquashed(shop.hub, shop.root, winner);
    const proof = await provePatch(shop.hub, { root: shop.root, patches, dir: join(shop.dir, 'proof') });
    expect(proof.tree).toBe(tree);
  });
});

describe('carryOnto', () => {
  async function upstream(shop: Workshop, edit: (dir: string) => Promise<unknown>): Promise<void> {
    await edit(shop.source);
    await git(shop.source, ['add', '-A']);
    await git(shop.source, ['commit', '-q', '-m', 'upstream']);
  }
  const request = (shop: Workshop, winner: string) =>
    ({ campaign: 'test', repository: shop.source, root: shop.root, winner, onto: 'main' }) as const;

  it('carries the winner to a newer upstream, where it is proved', async () => {
    const shop = await workshop();
    const { winner } = await line(shop);
    await upstream(shop, async (dir) => {
      const file = join(dir, 'src/main.c');
      await writeFile(file, `// new head\n${await readFile(file, 'utf8')}`);
      await appendFile(join(dir, 'README.md'), 'news\n');
    });
    const carried = await carryOnto(shop.hub, request(shop, winner));
    if (carried.kind !== 'carried') throw new Error(JSON.stringify(carried));
    expect(carried.onto).toBe((await git(shop.source, ['rev-parse', 'HEAD'])).trim());
    expect(await carryOnto(shop.hub, request(shop, winner))).toEqual(carried);
    const patches = await formatSeries(shop.hub, carried.onto, carried.commit);
    const proof = await provePatch(shop.hub, { root: carried.onto, patches, dir: join(shop.dir, 'proof') });
    expect(proof.tree).toBe(carried.tree);
    const main = await readFile(join(proof.dir, 'src/main.c'), 'utf8');
    expect(main).toMatch(/^\/\/ new head\n[\s\S]*return 1; }\nint more;\n$/);
    expect(await readFile(join(proof.dir, 'README.md'), 'utf8')).toContain('news');
  });

  it('names what conflicts', async () => {
    const shop = await workshop();
    const { winner } = await line(shop);
    await upstream(shop, async (dir) => {
      const file = join(dir, 'src/main.c');
      await writeFile(file, (await readFile(file, 'utf8')).replace('return 0', 'return 42'));
      await git(dir, ['rm', '-q', 'src/no-newline']);
    });
    const carried = await carryOnto(shop.hub, request(shop, winner));
    if (carried.kind !== 'conflict') throw new Error(JSON.stringify(carried));
    expect(carried.conflicts.map(({ path }) => path).sort()).toEqual(['src/main.c', 'src/no-newline']);
    expect(carried.conflicts.find(({ path }) => path === 'src/main.c')?.text).toMatch(
      /<<<<<<<[\s\S]*return 42[\s\S]*=======[\s\S]*return 1[\s\S]*>>>>>>>/,
    );
    expect(await resolve(shop.hub, winner)).toBe(winner);
  });

  it('gives the winner itself on its own root', async () => {
    const shop = await workshop();
    const { winner, tree } = await line(shop);
    expect(await carryOnto(shop.hub, request(shop, winner))).toMatchObject({ kind: 'carried', onto: shop.root, tree });
  });
});
