import { existsSync } from 'node:fs';
import {
  appendFile,
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InfrastructureError, ScopeError } from '../../src/errors.ts';
import {
  addWorktree,
  candidateRef,
  importTarget,
  lineage,
  proveCheckout,
  reconcileWorktrees,
  removeWorktree,
  resetWorktree,
  resolve,
  updateRef,
} from '../../src/git/index.ts';
import { editAwkward, git, latinName } from '../fixtures/awkward.ts';
import { commitOf, workshop } from './workshop.ts';

const registrations = async (hub: { dir: string }): Promise<string[]> => await readdir(join(hub.dir, 'worktrees'));

describe('worktrees', () => {
  it('are made by the dozen, while another process holds locks', async () => {
    const { hub, root, checkout } = await workshop();
    for (const name of ['packed-refs.lock', 'config.lock', 'HEAD.lock']) await writeFile(join(hub.dir, name), '');
    const names = Array.from({ length: 40 }, (_, index) => `w${index}`);
    const dirs = await Promise.all(names.map((name) => checkout(name)));
    for (const dir of dirs) expect((await git(dir, ['rev-parse', 'HEAD'])).trim()).toBe(root);
    expect(await git(dirs[7] ?? '', ['status', '--porcelain'])).toBe('');
    await Promise.all(dirs.map((dir) => removeWorktree(hub, dir)));
    expect(await registrations(hub)).toEqual([]);
  });

  it('take over what a dead process left and leave others alone', async () => {
    const { dir, hub, root, checkout } = await workshop();
    await git(hub.dir, ['worktree', 'add', '-q', '--detach', join(dir, 'theirs'), root]);
    const worktree = await checkout('a');
    const [ours = ''] = (await registrations(hub)).filter((name) => name.startsWith('clade-'));
    for (const name of ['index.lock', 'clade.index.lock', 'HEAD.lock']) {
      await writeFile(join(hub.dir, 'worktrees', ours, name), '');
    }
    await writeFile(join(worktree, 'half-written'), 'x');
    await addWorktree(hub, worktree, root);
    expect(existsSync(join(worktree, 'half-written'))).toBe(false);
    const gone = await checkout('gone');
    await rm(gone, { recursive: true });
    expect(await reconcileWorktrees(hub)).toEqual([worktree]);
    expect(await registrations(hub)).toHaveLength(2);
    await removeWorktree(hub, worktree);
    expect(await git(join(dir, 'theirs'), ['status', '--porcelain'])).toBe('');
  });

  it('are removed without following a link out of them', async () => {
    const { dir, hub, root, checkout } = await workshop();
    const precious = join(dir, 'precious');
    await mkdir(precious);
    await writeFile(join(precious, 'file'), 'precious');
    const worktree = await checkout('a');
    await symlink(precious, join(worktree, 'link'));
    await rm(join(worktree, 'src'), { recursive: true });
    await symlink(precious, join(worktree, 'src'));
    await resetWorktree(hub, worktree, root);
    await symlink(precious, join(worktree, 'again'));
    await rm(join(worktree, '.git'));
    await symlink(precious, join(worktree, '.git'));
    await removeWorktree(hub, worktree);
    expect(existsSync(worktree)).toBe(false);
    await symlink(precious, worktree); // the worktree itself replaced by a link
    await removeWorktree(hub, worktree);
    await symlink(precious, worktree);
    await addWorktree(hub, worktree, root);
    await removeWorktree(hub, worktree);
    expect(await readFile(join(precious, 'file'), 'utf8')).toBe('precious');
    expect(await readdir(precious)).toEqual(['file']);
    await removeWorktree(hub, worktree);
  });

  it('are reset to another commit, whatever happened to them', async () => {
    const { hub, root, checkout, propose } = await workshop();
    const worktree = await checkout('a');
    await editAwkward(worktree);
    const candidate = commitOf(await propose(worktree));
    await expect(proveCheckout(hub, worktree, root, { untracked: 'allowed' })).rejects.toThrow(InfrastructureError);
    const damage: Record<string, () => Promise<unknown>> = {
      nothing: async () => undefined,
      edits: async () => await editAwkward(worktree),
      'a repository in place of .git': async () => {
        await rm(join(worktree, '.git'));
        await git(worktree, ['init', '-q']);
      },
      'nested repositories': async () => await git(worktree, ['init', '-q', 'src/nested']),
      'a folder for a file': async () => {
        await rm(join(worktree, 'README.md'));
        await mkdir(join(worktree, 'README.md/x'), { recursive: true });
        await writeFile(join(worktree, 'README.md/x/y'), '');
      },
      'a file for a folder': async () => {
        await rm(join(worktree, 'docs'), { recursive: true });
        await writeFile(join(worktree, 'docs'), '');
      },
      'a link for a folder': async () => {
        await rename(join(worktree, 'docs'), join(worktree, 'other'));
        await symlink('other', join(worktree, 'docs'));
      },
      'the same size at the same time': async () => {
        const file = join(worktree, 'README.md');
        await writeFile(file, '# awkward\n');
        await utimes(file, new Date(0), new Date(0));
      },
      'ignored files': async () => await writeFile(join(worktree, 'src/x.o'), ''),
      permissions: async () => {
        await chmod(join(worktree, 'README.md'), 0o000);
        await chmod(join(worktree, 'docs'), 0o000);
      },
      'empty folders': async () => await mkdir(join(worktree, 'src/hollow/deep'), { recursive: true }),
      'an edit that our index agrees with': async () => {
        await writeFile(join(worktree, 'README.md'), 'smuggled\n');
        const [ours = ''] = await registrations(hub);
        const index = join(hub.dir, 'worktrees', ours, 'clade.index');
        await git(worktree, ['add', 'README.md'], { GIT_INDEX_FILE: index });
      },
      'everything gone': async () => await rm(worktree, { recursive: true }),
    };
    for (const [name, harm] of Object.entries(damage)) {
      for (const target of [root, candidate]) {
        await resetWorktree(hub, worktree, root);
        await harm();
        await resetWorktree(hub, worktree, target);
        expect(await git(worktree, ['status', '--porcelain', '--ignored']), name).toBe('');
        expect(existsSync(join(worktree, 'src/hollow')), name).toBe(false);
        expect((await git(worktree, ['rev-parse', 'HEAD'])).trim(), name).toBe(target);
        await proveCheckout(hub, worktree, target, { untracked: 'refused' });
      }
    }
    expect(await readlink(join(worktree, 'src/link-folder'))).toBe('deep/er');
    expect(await readFile(latinName(worktree), 'utf8')).toBe('name that is no UTF-8, edited\n');
  }, 60_000);

  it('keep what is linked in, and prove what they hold', async () => {
    const { hub, root, checkout } = await workshop();
    const worktree = await checkout('a');
    await symlink('/usr', join(worktree, 'node_modules'));
    await mkdir(join(worktree, 'node_modules.old'));
    await writeFile(join(worktree, 'node_modules.old/x'), '');
    await resetWorktree(hub, worktree, root, { keep: ['node_modules'] });
    expect(await readlink(join(worktree, 'node_modules'))).toBe('/usr');
    expect(existsSync(join(worktree, 'node_modules.old'))).toBe(false);
    await writeFile(join(worktree, 'built.o'), '');
    await proveCheckout(hub, worktree, root, { keep: ['node_modules'], untracked: 'allowed' });
    const refused = proveCheckout(hub, worktree, root, { keep: ['node_modules'], untracked: 'refused' });
    await expect(refused).rejects.toThrow(InfrastructureError);
    await appendFile(join(worktree, 'README.md'), 'x');
    const changed = proveCheckout(hub, worktree, root, { keep: ['node_modules'], untracked: 'allowed' });
    await expect(changed).rejects.toThrow(InfrastructureError);
    await resetWorktree(hub, worktree, root);
    expect(existsSync(join(worktree, 'node_modules'))).toBe(false);
  });
});

describe('submodules', () => {
  it('of the target stay what they are, populated or not', async () => {
    const { dir, source, hub, propose } = await workshop();
    await git(source, ['-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', source, 'src/sub']);
    await git(source, ['commit', '-q', '-m', 'with a submodule']);
    const { commit } = await importTarget(hub, { campaign: 'sub', repository: source, root: 'HEAD' });
    const worktree = join(dir, 'work/a');
    await addWorktree(hub, worktree, commit);
    expect(await propose(worktree, { base: commit })).toEqual({ kind: 'no_change' });
    await appendFile(join(worktree, 'src/main.c'), 'x\n');
    expect(await propose(worktree, { base: commit })).toMatchObject({ changes: [{ path: 'src/main.c' }] });
    await rm(join(worktree, 'src/sub'), { recursive: true });
    await git(worktree, ['clone', '-q', source, 'src/sub']);
    await git(join(worktree, 'src/sub'), ['config', 'core.fsmonitor', `touch ${worktree}.executed`]);
    await expect(propose(worktree, { base: commit })).rejects.toThrow(ScopeError);
    await resetWorktree(hub, worktree, commit);
    expect(await readdir(join(worktree, 'src/sub'))).toEqual([]);
    await git(worktree, ['clone', '-q', source, 'src/sub']);
    await git(join(worktree, 'src/sub'), ['checkout', '-q', 'HEAD~1']); // the very commit of the submodule, and dirt
    await writeFile(join(worktree, 'src/sub/dirt'), '');
    expect(await propose(worktree, { base: commit })).toEqual({ kind: 'no_change' });
    await resetWorktree(hub, worktree, commit);
    expect(await readdir(join(worktree, 'src/sub'))).toEqual([]);
    expect(existsSync(`${worktree}.executed`)).toBe(false);
  });
});

describe('candidates', () => {
  it('survive a gc after all worktrees are gone', async () => {
    const { hub, root, checkout, propose } = await workshop();
    let base = root;
    for (const ordinal of [1, 2, 3]) {
      const worktree = await checkout(`w${ordinal}`, base);
      await appendFile(join(worktree, 'src/main.c'), `// ${ordinal}\n`);
      base = commitOf(await propose(worktree, { base, ordinal }));
      await removeWorktree(hub, worktree);
    }
    const lost = await checkout('lost');
    await appendFile(join(lost, 'src/main.c'), '// lost\n');
    const unheld = (await git(lost, ['stash', 'create'])).trim();
    await removeWorktree(hub, lost);
    await git(hub.dir, ['gc', '-q', '--prune=now']);
    await git(hub.dir, ['fsck', '--full', '--strict']);
    expect(await resolve(hub, unheld)).toBeNull(); // the gc did collect
    for (const ordinal of [1, 2, 3]) {
      const commit = await resolve(hub, candidateRef('test', ordinal));
      await checkout(`again${ordinal}`, commit ?? '');
    }
    expect(await lineage(hub, root, base)).toHaveLength(3);
    expect(await lineage(hub, root, root)).toEqual([]);
  });

  it('are held in spite of the lock of a dead process', async () => {
    const { hub, root } = await workshop();
    const ref = candidateRef('test', 9);
    await writeFile(join(hub.dir, `${ref}.lock`), '');
    await utimes(join(hub.dir, `${ref}.lock`), new Date(0), new Date(0));
    await updateRef(hub, ref, root);
    expect(await resolve(hub, ref)).toBe(root);
  });
});
