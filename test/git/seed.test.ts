import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigurationError, ConflictError, ScopeError } from '../../src/errors.ts';
import { diffText, importSeed, importTarget, listRefs, readCommit, type SeedFile } from '../../src/git/index.ts';
import { editAwkward, git } from '../fixtures/awkward.ts';
import { temporary, type Workshop, workshop } from './workshop.ts';

const plant = (shop: Workshop, file: SeedFile, more: { repository?: string; root?: string } = {}) =>
  importSeed(shop.hub, {
    campaign: 'test',
    repository: shop.source,
    root: shop.root,
    scope: { edit: ['src/**'], protect: ['src/protected/**'] },
    file,
    ...more,
  });

const commit = (revision: string): SeedFile => ({ kind: 'commit', revision });
const patch = (bytes: string | Uint8Array, name = 'mine.patch'): SeedFile => ({
  kind: 'patch',
  name,
  bytes: Buffer.from(bytes),
});

/** Commits what `edit` does to the source on a branch `mine`, and leaves its main branch where it was. */
async function branch(shop: Workshop, ...edits: ((dir: string) => Promise<unknown>)[]): Promise<string> {
  await git(shop.source, ['checkout', '-q', '-b', 'mine']);
  for (const [index, edit] of edits.entries()) {
    await edit(shop.source);
    await git(shop.source, ['add', '-A']);
    await git(shop.source, ['commit', '-q', '-m', `Step ${index + 1}\n\nBecause.`]);
  }
  const tip = (await git(shop.source, ['rev-parse', 'HEAD'])).trim();
  await git(shop.source, ['checkout', '-q', 'main']);
  return tip;
}

const more = (dir: string) => appendFile(join(dir, 'src/main.c'), 'int more;\n');
const evenMore = (dir: string) => appendFile(join(dir, 'src/main.c'), 'int even_more;\n');

describe('a commit of the user', () => {
  it.each(['sha1', 'sha256'] as const)('becomes one commit on the root (%s)', async (format) => {
    const shop = await workshop(format);
    const tip = await branch(shop, more, evenMore);
    const seed = await plant(shop, commit('mine'));
    expect(seed).toMatchObject({ source: tip, title: 'Step 2' });
    expect(seed.changes.map(({ path, added, deleted }) => [path, added, deleted])).toEqual([['src/main.c', 2, 0]]);
    const record = await readCommit(shop.hub, seed.commit);
    expect(record).toMatchObject({ parents: [shop.root], tree: seed.tree });
    expect(record.message).toBe(`Step 2\n\nBecause.\n\nClade-Campaign: test\nClade-Seed: ${tip}\n`);
    expect(seed.tree).toBe((await git(shop.source, ['rev-parse', 'mine^{tree}'])).trim());
    expect(await listRefs(shop.hub, 'refs/clade/test/')).toEqual(
      new Map([
        ['refs/clade/test/root', shop.root],
        [`refs/clade/test/seeds/${seed.tree}`, seed.commit],
      ]),
    );
    expect(await plant(shop, commit(tip))).toEqual(seed);
  });

  it('is refused when it leaves the scope, with the paths', async () => {
    const shop = await workshop();
    await branch(shop, more, (dir) => appendFile(join(dir, 'README.md'), 'news\n'));
    const error = await plant(shop, commit('mine')).catch((reason) => reason);
    expect(error).toBeInstanceOf(ScopeError);
    expect(error.paths).toEqual(['README.md']);
    expect([...(await listRefs(shop.hub, 'refs/clade/test/')).keys()]).toEqual(['refs/clade/test/root']);
  });

  it('is refused when it is not there, or is the root', async () => {
    const shop = await workshop();
    await expect(plant(shop, commit('nowhere'))).rejects.toThrow(ConfigurationError);
    await expect(plant(shop, commit('HEAD'))).rejects.toThrow(/changes nothing/);
  });

  it('cannot come from a plain folder, a patch can', async () => {
    const shop = await workshop();
    const folder = await temporary();
    await writeFile(join(folder, 'a.txt'), 'one\n');
    const { commit: root } = await importTarget(shop.hub, { campaign: 'plain', repository: folder, root: 'HEAD' });
    await expect(plant(shop, commit('HEAD'), { repository: folder, root })).rejects.toThrow(/plain folder/);
    const request = { campaign: 'plain', repository: folder, root, scope: { edit: ['*'], protect: [] } };
    const file = patch('--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n');
    expect((await importSeed(shop.hub, { ...request, file })).changes.map(({ path }) => path)).toEqual(['a.txt']);
  });
});

describe('a patch of the user', () => {
  it('gives the tree of its commits, also as one mailbox of several', async () => {
    const shop = await workshop();
    await branch(shop, editAwkward, more, evenMore);
    const output = join(shop.dir, 'mine.mbox');
    await git(shop.source, ['format-patch', '-q', '--binary', `--output=${output}`, 'main..mine']);
    const bytes = await readFile(output);
    const seed = await plant(shop, patch(bytes));
    expect(seed.tree).toBe((await git(shop.source, ['rev-parse', 'mine^{tree}'])).trim());
    expect(seed).toMatchObject({ source: 'mine.patch', title: 'Step 1' });
    expect((await readCommit(shop.hub, seed.commit)).message).toContain('\nClade-Seed: mine.patch\n');
    expect(await plant(shop, patch(bytes))).toEqual(seed);
  });

  it('may be a bare difference, in a file with any name', async () => {
    const shop = await workshop();
    await branch(shop, more);
    const seed = await plant(shop, patch(await git(shop.source, ['diff', 'main', 'mine']), '-- odd\nname'));
    expect(seed.title).toBe('-- odd');
    expect((await diffText(shop.hub, shop.root, seed.commit, { maxBytes: 4096 })).text).toContain('+int more;');
  });

  it('is refused when it does not apply, with what Git says', async () => {
    const shop = await workshop();
    await branch(shop, more, evenMore);
    const error = await plant(shop, patch(await git(shop.source, ['diff', 'mine~1', 'mine']))).catch(
      (reason) => reason,
    );
    expect(error).toBeInstanceOf(ConflictError);
    expect(error.message).toMatch(
      /^mine\.patch does not apply to the root: patch failed: src\/main\.c:\d+; src\/main\.c: /,
    );
    await expect(plant(shop, patch('Dear all,\n'))).rejects.toThrow(ConflictError);
  });

  it('is refused when it leaves the scope or the repository', async () => {
    const shop = await workshop();
    const creates = (path: string): SeedFile =>
      patch(`diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`);
    await expect(plant(shop, creates('src/protected/x'))).rejects.toThrow(ScopeError);
    await expect(plant(shop, creates('src/.gitattributes'))).rejects.toThrow(ScopeError);
    await expect(plant(shop, creates('../x'))).rejects.toThrow(ConflictError);
    await expect(plant(shop, creates('src/.git/hooks/x'))).rejects.toThrow(ConflictError);
    expect(await readFile(join(shop.source, 'src/main.c'), 'utf8')).not.toContain('more');
  });
});
