import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GitError, InfrastructureError } from '../../src/errors.ts';
import {
  changesBetween,
  decodePath,
  diffText,
  encodePath,
  fileDiffs,
  listTree,
  readBlobs,
  readCommit,
} from '../../src/git/index.ts';
import { quote, unquote } from '../../src/git/path.ts';
import { leavesTree } from '../../src/git/scope.ts';
import { editAwkward, git } from '../fixtures/awkward.ts';
import { commitOf, workshop } from './workshop.ts';

describe('paths', () => {
  it('survive as strings and as Git quotes, whatever their bytes', () => {
    const name = fc
      .uint8Array({ minLength: 1 })
      .map((bytes) => Buffer.from(bytes.map((byte) => (byte === 0 ? 1 : byte))));
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((value) => Buffer.from(value.replaceAll('\0', 'x')));
    fc.assert(
      fc.property(fc.oneof(name, text), (bytes) => {
        const path = decodePath(bytes);
        expect(path.isWellFormed()).toBe(true);
        expect(encodePath(path).equals(bytes)).toBe(true);
        expect(unquote(quote(bytes))).toBe(path);
      }),
    );
    expect(decodePath(Buffer.from('src/caf\xe9/\xe5\\', 'latin1'))).toBe('src/caf\\xE9/\\xE5\\x5C');
    expect(decodePath(Buffer.from('naïve 日本\n'))).toBe('naïve 日本\n');
  });
});

describe('links', () => {
  it.each([
    ['src/a', '../b', false],
    ['src/a', './x/y', false],
    ['src/a', '../../b', true],
    ['a', '..', true],
    ['src/a', '/b', true],
    ['src/a', 'x/../y', true],
    ['src/a', '../.git/config', true],
    ['src/a', '..', false],
  ])('%s → %s leaves the tree: %s', (path, target, leaves) => expect(leavesTree(path, target)).toBe(leaves));
});

describe('reading', () => {
  it('streams blobs of any size and content in order', async () => {
    const shop = await workshop();
    const big = randomBytes(3_000_000);
    const worktree = await shop.checkout('a');
    await writeFile(join(worktree, 'src/big'), big);
    const tree = await listTree(shop.hub, commitOf(await shop.propose(worktree)));
    const oids = [...tree, ...tree].map(({ blob }) => blob);
    const sizes = new Map(tree.map(({ blob, size }) => [blob, size]));
    const seen: string[] = [];
    for await (const { oid, bytes } of readBlobs(shop.hub, oids)) {
      seen.push(oid);
      expect(bytes.length).toBe(sizes.get(oid));
      if (bytes.length === big.length) expect(bytes.equals(big)).toBe(true);
    }
    expect(seen).toEqual(oids);
    for await (const { oid } of readBlobs(shop.hub, oids)) {
      expect(oid).toBe(oids[0]);
      break; // must not hang or leave the process behind
    }
    for await (const _ of readBlobs(shop.hub, [])) throw new Error('nothing was asked for');
    const missing = async (): Promise<void> => {
      for await (const _ of readBlobs(shop.hub, ['0'.repeat(40)]));
    };
    await expect(missing()).rejects.toThrow(GitError);
  });

  it('reads commits, loose and packed', async () => {
    const shop = await workshop();
    const worktree = await shop.checkout('a');
    await editAwkward(worktree);
    const commit = commitOf(await shop.propose(worktree, { message: 'Title\n\nnaïve body' }));
    const loose = await readCommit(shop.hub, commit);
    expect(loose).toMatchObject({ oid: commit, parents: [shop.root], message: 'Title\n\nnaïve body\n' });
    expect(loose).toMatchObject({ author: 'Clade <clade@localhost>', authorSeconds: 1767323045 });
    await git(shop.hub.dir, ['gc', '-q', '--prune=now']);
    expect(await readCommit(shop.hub, commit)).toEqual(loose);
    await expect(readCommit(shop.hub, loose.tree)).rejects.toThrow(GitError);
    await expect(readCommit(shop.hub, '0'.repeat(40))).rejects.toThrow(GitError);
  });

  it('lists changes that can be undone by their blobs', async () => {
    const shop = await workshop();
    const worktree = await shop.checkout('a');
    await editAwkward(worktree);
    const commit = commitOf(await shop.propose(worktree));
    const forth = await changesBetween(shop.hub, shop.root, commit);
    const back = await changesBetween(shop.hub, commit, shop.root);
    const swap = forth.map(({ oldPath, path, oldBlob, newBlob }) => [path, oldPath ?? path, newBlob, oldBlob]);
    const seen = back.map(({ oldPath, path, oldBlob, newBlob }) => [oldPath ?? path, path, oldBlob, newBlob]);
    expect(new Set(seen.map(String))).toEqual(new Set(swap.map(String)));
    expect(forth.filter(({ status }) => status === 'type_changed').map(({ path }) => path)).toEqual(['src/link-up']);
    expect(await changesBetween(shop.hub, commit, commit)).toEqual([]);
  });

  it('bounds the text of a diff', async () => {
    const shop = await workshop();
    const worktree = await shop.checkout('a');
    await editAwkward(worktree);
    const commit = commitOf(await shop.propose(worktree));
    const whole = await diffText(shop.hub, shop.root, commit, { maxBytes: 10_000_000 });
    expect(whole.truncated).toBe(false);
    expect(whole.text).toContain('+int main(void) { return 1; }');
    expect(whole.text.isWellFormed()).toBe(true);
    const cut = await diffText(shop.hub, shop.root, commit, { maxBytes: 500 });
    expect(cut.truncated).toBe(true);
    expect(Buffer.byteLength(cut.text)).toBeLessThanOrEqual(500);
    expect(whole.text.startsWith(cut.text)).toBe(true);
    const one = await diffText(shop.hub, shop.root, commit, { maxBytes: 10_000, paths: ['src/[glob]*?.c'] });
    expect(one.text.match(/^diff --git/gm)).toHaveLength(1);
    const none = await git(shop.source, ['rev-parse', 'HEAD^{tree}']);
    expect((await diffText(shop.hub, shop.root, none.trim(), { maxBytes: 10 })).text).toBe('');
  });

  it('compares several pairs of trees file by file', async () => {
    const shop = await workshop();
    const worktree = await shop.checkout('a');
    await editAwkward(worktree);
    const commit = commitOf(await shop.propose(worktree));
    const [root, tree] = await Promise.all(
      [shop.root, commit].map(async (at) => (await git(shop.hub.dir, ['rev-parse', `${at}^{tree}`])).trim()),
    );
    if (root === undefined || tree === undefined) throw new Error('no trees');
    const changes = await changesBetween(shop.hub, root, tree);
    const paths = changes.flatMap(({ path, oldPath }) => (oldPath === undefined ? [path] : [path, oldPath]));
    const [one, other] = [
      { commit: shop.root, tree: root },
      { commit, tree },
    ];
    const pairs = [
      [one, other],
      [other, other],
      [other, one],
    ] as const;
    const [forth = [], same, back] = await fileDiffs(shop.hub, pairs, { paths, maxBytes: 100_000 });
    const known = paths.filter((path) => encodePath(path).equals(Buffer.from(path)));
    expect(forth.map(({ path }) => path).toSorted()).toEqual(known.toSorted());
    expect(back?.map(({ path }) => path)).toEqual(forth.map(({ path }) => path));
    expect(same).toEqual([]);
    for (const { path, text, truncated, added, deleted } of forth) {
      expect(truncated).toBe(false);
      // A file that becomes a link is deleted and made anew.
      const patches = changes.some((change) => change.path === path && change.status === 'type_changed') ? 2 : 1;
      expect({ path, patches: text.match(/^diff --git/gm)?.length }).toEqual({ path, patches });
      const lines = (sign: RegExp): number => text.match(sign)?.length ?? 0;
      if (added !== undefined) expect([lines(/^\+(?!\+\+ )/gm), lines(/^-(?!-- )/gm)]).toEqual([added, deleted]);
      expect(text.isWellFormed()).toBe(true);
    }
    const [cut = []] = await fileDiffs(shop.hub, [[one, other]], { paths, maxBytes: 120 });
    expect(cut.map(({ path }) => path)).toEqual(forth.map(({ path }) => path));
    for (const [index, { text, truncated }] of cut.entries()) {
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(truncated ? 240 : Infinity);
      // Of two patches the beginning of each is kept.
      if (!text.includes('\ndiff --git ')) expect(forth[index]?.text.startsWith(text)).toBe(true);
      expect(truncated).toBe(text !== forth[index]?.text);
    }
    expect(cut.some(({ truncated }) => truncated)).toBe(true);
    expect(await fileDiffs(shop.hub, pairs, { paths: [], maxBytes: 9 })).toEqual([[], [], []]);
  });

  it('says that Git could not be started, and does not wait for what it would print', async () => {
    const one = { commit: 'c', tree: 't' };
    const gone = fileDiffs({ dir: '/nowhere', remote: null }, [[one, one]], { paths: ['x'], maxBytes: 9 });
    await expect(gone).rejects.toThrow(InfrastructureError);
  });
});
