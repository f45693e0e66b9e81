import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ConfigurationError, GitError } from '../../src/errors.ts';
import { addWorktree, importTarget, listRefs, listTree, openHub, resolve, rootRef } from '../../src/git/index.ts';
import { buildAwkward, git, writeAwkward } from '../fixtures/awkward.ts';
import { temporary } from './workshop.ts';

const campaign = 'test';

/** A repository with three commits, the last two tagged `v2~1` and `v2` (annotated). */
async function history(): Promise<{ dir: string; source: string; commits: string[] }> {
  const dir = await temporary();
  const source = join(dir, 'source');
  const commits = [await buildAwkward(source)];
  for (const name of ['second', 'third']) {
    await writeFile(join(source, 'src', name), name);
    await git(source, ['add', '-A']);
    await git(source, ['commit', '-q', '-m', name]);
    commits.push((await git(source, ['rev-parse', 'HEAD'])).trim());
  }
  await git(source, ['tag', '-a', '-m', 'two', 'v2']);
  return { dir, source, commits };
}

const fresh = async (dir: string, name = 'hub') => await openHub(join(dir, name));

describe('importTarget', () => {
  it('resolves any revision in the source and leaves the source alone', async () => {
    const { dir, source, commits } = await history();
    const hub = await fresh(dir);
    const before = await git(source, ['status', '--porcelain=v2', '--branch']);
    const cases = { HEAD: 2, main: 2, v2: 2, 'v2~2': 0, 'main^': 1, [(commits[1] ?? '').slice(0, 9)]: 1 };
    for (const [root, index] of Object.entries(cases)) {
      const { commit, tree } = await importTarget(hub, { campaign, repository: source, root });
      expect(commit, root).toBe(commits[index]);
      expect(tree).toBe((await git(source, ['rev-parse', `${commit}^{tree}`])).trim());
      expect(await resolve(hub, rootRef(campaign))).toBe(commit);
    }
    expect(await git(source, ['status', '--porcelain=v2', '--branch'])).toBe(before);
    const missing = importTarget(hub, { campaign, repository: source, root: 'no-such' });
    await expect(missing).rejects.toThrow(ConfigurationError);
    await expect(importTarget(hub, { campaign, repository: join(dir, 'none'), root: 'HEAD' })).rejects.toThrow(
      ConfigurationError,
    );
  });

  it('takes a URL, with names, ids and revisions that a server does not know', async () => {
    const { dir, source, commits } = await history();
    const repository = `file://${source}`;
    const short = (commits[0] ?? '').slice(0, 10);
    const cases = { HEAD: 2, v2: 2, main: 2, 'v2~1': 1, 'main~2': 0, [short]: 0, [commits[1] ?? '']: 1 };
    for (const [root, index] of Object.entries(cases)) {
      const hub = await fresh(dir, `hub-${root}`);
      const { commit } = await importTarget(hub, { campaign, repository, root });
      expect(commit, root).toBe(commits[index]);
      expect([...(await listRefs(hub, 'refs/')).keys()]).toEqual([rootRef(campaign)]);
      await addWorktree(hub, join(dir, `work-${root}`), commit);
    }
    await expect(importTarget(await fresh(dir), { campaign, repository, root: 'none' })).rejects.toThrow(
      ConfigurationError,
    );
  });

  it('works from a shallow, partial or bare clone, a detached HEAD and a worktree', async () => {
    const { dir, source, commits } = await history();
    const url = `file://${source}`;
    await git(source, ['config', 'uploadpack.allowFilter', 'true']);
    await git(source, ['config', 'uploadpack.allowAnySHA1InWant', 'true']);
    await git(dir, ['clone', '-q', '--depth=1', url, 'shallow']);
    await git(dir, ['clone', '-q', '--filter=blob:none', url, 'partial']);
    await git(dir, ['clone', '-q', '--bare', url, 'bare']);
    await git(dir, ['clone', '-q', url, 'detached']);
    await git(join(dir, 'detached'), ['checkout', '-q', '--detach', 'HEAD']);
    await git(source, ['worktree', 'add', '-q', '--detach', join(dir, 'worktree')]);
    for (const name of ['shallow', 'partial', 'bare', 'detached', 'worktree']) {
      const hub = await fresh(dir, `hub-${name}`);
      const { commit } = await importTarget(hub, { campaign, repository: join(dir, name), root: 'HEAD' });
      expect(commit, name).toBe(commits[2]);
      await addWorktree(hub, join(dir, `work-${name}`), commit);
      expect(await readFile(join(dir, `work-${name}`, 'src/third'), 'utf8')).toBe('third');
    }
  });

  it('is not led astray by the environment or the configuration of the user', async () => {
    const { dir, source, commits } = await history();
    const home = join(dir, 'home');
    await mkdir(join(home, 'hooks'), { recursive: true });
    await writeFile(join(home, 'hooks/post-checkout'), '#!/bin/sh\nsleep 1000\n', { mode: 0o755 });
    await writeFile(
      join(home, '.gitconfig'),
      `[core]\n\thooksPath = ${home}/hooks\n\tautocrlf = true\n[diff]\n\tnoprefix = true\n[commit]\n\tgpgSign = true\n`,
    );
    const values = { HOME: home, GIT_DIR: join(dir, 'elsewhere'), GIT_INDEX_FILE: '/dev/null', GIT_WORK_TREE: dir };
    for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const hub = await fresh(dir);
    const { commit } = await importTarget(hub, { campaign, repository: source, root: 'HEAD' });
    expect(commit).toBe(commits[2]);
    await addWorktree(hub, join(dir, 'work'), commit);
    expect(await readFile(join(dir, 'work/src/windows.bat'))).toEqual(await readFile(join(source, 'src/windows.bat')));
    expect(await readFile(join(dir, 'work/docs/text.txt'))).toEqual(await readFile(join(source, 'docs/text.txt')));
  });

  it.runIf(process.getuid?.() === 0)('takes a repository of another user', async () => {
    const { dir, source, commits } = await history();
    await promisify(execFile)('chown', ['-R', '65534:65534', source]);
    const { commit } = await importTarget(await fresh(dir), { campaign, repository: source, root: 'HEAD' });
    expect(commit).toBe(commits[2]);
  });

  it('makes a plain folder the same root commit wherever it lies', async () => {
    const dir = await temporary();
    await git(dir, ['init', '-q']); // a folder inside another repository is a folder still
    const trees: unknown[] = [];
    for (const name of ['one', 'two', 'node_modules/three']) {
      const folder = join(dir, name);
      await mkdir(folder, { recursive: true });
      await writeAwkward(folder);
      await mkdir(join(folder, 'src/node_modules/dep'), { recursive: true });
      await writeFile(join(folder, 'src/node_modules/dep/index.js'), '');
      const hub = await fresh(dir, `hub-${name.length}`);
      const imported = await importTarget(hub, { campaign, repository: folder, root: 'HEAD' });
      const files = await listTree(hub, imported.commit);
      const byPath = new Map(files.map((file) => [file.path, file]));
      expect(byPath.get('src/run.sh')).toMatchObject({ mode: '100755', size: 19, type: 'blob' });
      expect(byPath.get('src/link')).toMatchObject({ mode: '120000' });
      expect(byPath.has('src/caf\\xE9')).toBe(true);
      expect(files.filter(({ path }) => path.includes('node_modules'))).toEqual([]);
      trees.push(imported);
    }
    expect(trees[1]).toEqual(trees[0]);
    expect(trees[2]).toEqual(trees[0]);
    await expect(resolve({ dir: join(dir, '.git'), remote: null }, 'HEAD')).resolves.toBeNull();
  });

  it('takes an empty folder and an empty tree', async () => {
    const dir = await temporary();
    await mkdir(join(dir, 'empty'));
    const hub = await fresh(dir);
    const folder = await importTarget(hub, { campaign, repository: join(dir, 'empty'), root: 'HEAD' });
    expect(await listTree(hub, folder.commit)).toEqual([]);
    await git(dir, ['init', '-q', 'source']);
    await git(join(dir, 'source'), ['commit', '-q', '--allow-empty', '-m', 'nothing']);
    const { commit } = await importTarget(hub, { campaign, repository: join(dir, 'source'), root: 'HEAD' });
    await addWorktree(hub, join(dir, 'work'), commit);
    expect(await listTree(hub, commit)).toEqual([]);
  });

  it('refuses a folder of repositories by name', async () => {
    const dir = await temporary();
    await git(dir, ['init', '-q', 'folder/inner']);
    await writeFile(join(dir, 'folder/file'), 'x');
    const outcome = importTarget(await fresh(dir), { campaign, repository: join(dir, 'folder'), root: 'HEAD' });
    await expect(outcome).rejects.toThrow(GitError);
  });

  it('holds SHA-256 objects if the target does, but not both kinds', async () => {
    const dir = await temporary();
    const root = await buildAwkward(join(dir, 'new'), { format: 'sha256' });
    await buildAwkward(join(dir, 'old'));
    const hub = await fresh(dir);
    const imported = await importTarget(hub, { campaign, repository: join(dir, 'new'), root: 'HEAD' });
    expect(imported.commit).toBe(root);
    const other = importTarget(hub, { campaign: 'other', repository: join(dir, 'old'), root: 'HEAD' });
    await expect(other).rejects.toThrow(GitError);
  });

  it('lets many processes open one hub at once', async () => {
    const dir = await temporary();
    const hubs = await Promise.all(Array.from({ length: 8 }, async () => await fresh(dir)));
    expect(new Set(hubs.map((hub) => hub.dir)).size).toBe(1);
    expect(await listRefs({ dir: join(dir, 'hub'), remote: null }, 'refs/')).toEqual(new Map());
  });

  it('keeps exec bits and links of a folder out of reach of umask', async () => {
    const dir = await temporary();
    await mkdir(join(dir, 'f'));
    await writeFile(join(dir, 'f/x'), '');
    await chmod(join(dir, 'f/x'), 0o710);
    await symlink('/etc/passwd', join(dir, 'f/outside'));
    const hub = await fresh(dir);
    const { commit } = await importTarget(hub, { campaign, repository: join(dir, 'f'), root: '' });
    const modes = (await listTree(hub, commit)).map(({ path, mode }) => [path, mode]);
    expect(modes).toEqual([
      ['outside', '120000'],
      ['x', '100755'],
    ]);
  });
});
