import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, link, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ScopeError } from '../../src/errors.ts';
import { identity } from '../../src/git/environment.ts';
import { candidateRef, commitTree, listTree, readCommit, resolve, updateRef } from '../../src/git/index.ts';
import { editAwkward, git } from '../fixtures/awkward.ts';
import { commitOf, workshop } from './workshop.ts';

/** It is in every repository of SHA-1. */
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The tree of a folder's files as Git itself records them, by a repository of its own. */
async function expectedTree(worktree: string): Promise<string> {
  const gitDir = `${worktree}.check`;
  await git(worktree, ['init', '-q', '--bare', gitDir]);
  await writeFile(join(gitDir, 'info/attributes'), '* -text -filter\n');
  await git(worktree, [`--git-dir=${gitDir}`, `--work-tree=${worktree}`, 'add', '-A']);
  const tree = await git(worktree, [`--git-dir=${gitDir}`, 'write-tree']);
  return tree.trim();
}

describe('commitProposal', () => {
  it('records every awkward edit exactly', async () => {
    const { hub, root, checkout, propose } = await workshop();
    const worktree = await checkout('a');
    expect(await propose(worktree)).toEqual({ kind: 'no_change' });
    await editAwkward(worktree);
    const proposed = await propose(worktree);
    const record = await readCommit(hub, commitOf(proposed));
    expect(record.tree).toBe(await expectedTree(worktree));
    expect(record).toMatchObject({ parents: [root], author: 'Clade <clade@localhost>', authorSeconds: 1767323045 });
    expect(await resolve(hub, candidateRef('test', 1))).toBe(record.oid);
    const changes = proposed.kind === 'commit' ? proposed.changes : [];
    expect(changes.find(({ path }) => path === 'src/deep/renamed.c')).toMatchObject({
      status: 'renamed',
      oldPath: 'src/renamed-later.c',
      added: 0,
      deleted: 0,
    });
    expect(changes.find(({ path }) => path === 'src/main.c')).toMatchObject({
      status: 'modified',
      oldMode: '100644',
      newMode: '100755',
      added: 1,
      deleted: 1,
    });
    expect(changes.find(({ path }) => path === 'src/picture.dat')).not.toHaveProperty('added');
    expect(changes.map(({ path }) => path)).toContain('src/caf\\xE9');
    expect(changes.map(({ path }) => path)).toContain('src/two\nlines');
    expect(changes.map(({ path }) => path)).toContain('src/with "quotes" and \\x5C back');
    expect(await propose(worktree)).toEqual(proposed); // done again after a crash
  });

  it('writes the commit and the ref that Git would write', async () => {
    const { hub, root, checkout, propose } = await workshop();
    const worktree = await checkout('a');
    await writeFile(join(worktree, 'src/main.c'), 'int main(void) { return 7; } /* é */\n');
    const commit = commitOf(await propose(worktree));
    const { tree, message } = await readCommit(hub, commit);
    const env = identity(new Date(1767323045_000));
    const argv = ['commit-tree', '-p', root, '-m', message.trimEnd(), tree];
    const { stdout } = await promisify(execFile)('git', ['--git-dir', hub.dir, ...argv], {
      env: { ...process.env, ...env },
    });
    expect(stdout.trim()).toBe(commit);
    expect(await git(hub.dir, ['fsck', '--strict', '--no-dangling'])).toBe('');
    expect((await git(hub.dir, ['for-each-ref', '--format=%(objectname)', candidateRef('test', 1)])).trim()).toBe(
      commit,
    );
  });

  it('waits for the lock of a ref, and clears one whose process must be dead', async () => {
    const { hub, root } = await workshop();
    const { tree } = await readCommit(hub, root);
    const write = (message: string) =>
      commitTree(hub, { base: root, tree: EMPTY_TREE, mayEdit: () => true, message, date: new Date(0) });
    expect(tree).not.toBe(EMPTY_TREE);
    const [one, other] = [commitOf(await write('one')), commitOf(await write('other'))];
    const lock = join(hub.dir, 'refs/clade/test/5.lock');
    await mkdir(dirname(lock), { recursive: true });
    await writeFile(lock, '');
    const waiting = updateRef(hub, candidateRef('test', 5), one);
    setTimeout(() => void rm(lock), 30);
    await waiting;
    expect(await resolve(hub, candidateRef('test', 5))).toBe(one);
    await writeFile(lock, '');
    await utimes(lock, 0, 0);
    await updateRef(hub, candidateRef('test', 5), other);
    expect(await resolve(hub, candidateRef('test', 5))).toBe(other);
    expect(existsSync(lock)).toBe(false);
  });

  it('looks at nothing but the files', async () => {
    const { hub, root, checkout, propose } = await workshop();
    const plain = await checkout('plain');
    await editAwkward(plain);
    const expected = commitOf(await propose(plain));
    const tampering: Record<string, (worktree: string) => Promise<unknown>> = {
      commits: async (worktree) => {
        await git(worktree, ['add', '-A']);
        await git(worktree, ['commit', '-q', '-m', 'my own']);
        await git(worktree, ['checkout', '-q', '--orphan', 'elsewhere']);
      },
      lock: async (worktree) =>
        await writeFile((await git(worktree, ['rev-parse', '--git-path', 'index.lock'])).trim(), ''),
      staged: async (worktree) => {
        await git(worktree, ['rm', '-q', '-r', '--cached', 'src', 'docs']);
        await git(worktree, ['update-index', '--assume-unchanged', 'README.md']);
      },
      'deleted .git': async (worktree) => await rm(join(worktree, '.git')),
      'own repository': async (worktree) => {
        await rm(join(worktree, '.git'));
        await git(worktree, ['init', '-q']);
        await git(worktree, ['config', 'core.fsmonitor', `touch ${worktree}.executed`]);
        await git(worktree, ['config', 'core.excludesFile', join(worktree, 'README.md')]);
        await writeFile(join(worktree, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${worktree}.executed\n`, {
          mode: 0o755,
        });
      },
    };
    for (const [name, tamper] of Object.entries(tampering)) {
      const worktree = await checkout(name);
      await editAwkward(worktree);
      await tamper(worktree);
      expect(commitOf(await propose(worktree)), name).toBe(expected);
      expect(existsSync(`${worktree}.executed`), name).toBe(false);
    }
    expect((await readCommit(hub, expected)).parents).toEqual([root]);
  });

  it('gives no change for junk alone, for a touched file and for what is linked in', async () => {
    const { checkout, propose } = await workshop();
    const worktree = await checkout('a');
    await mkdir(join(worktree, 'build'));
    await writeFile(join(worktree, 'build/x'), 'x');
    await writeFile(join(worktree, 'src/main.o'), 'x');
    await writeFile(join(worktree, 'README.md'), await readFile(join(worktree, 'README.md')));
    await symlink('/usr', join(worktree, 'node_modules'));
    await mkdir(join(worktree, 'vendor [1]'));
    await writeFile(join(worktree, 'vendor [1]/y'), 'y');
    expect(await propose(worktree, { ignore: ['node_modules', 'vendor [1]'] })).toEqual({ kind: 'no_change' });
    await expect(propose(worktree, { ignore: ['vendor [1]'] })).rejects.toThrow(ScopeError);
  });

  const refused: Record<string, { do: (worktree: string) => Promise<unknown>; paths: string[] }> = {
    'an edit elsewhere': { do: (w) => appendFile(join(w, 'docs/text.txt'), 'x'), paths: ['docs/text.txt'] },
    'a new file elsewhere': { do: (w) => writeFile(join(w, 'evaluate.sh'), 'x'), paths: ['evaluate.sh'] },
    'a deletion elsewhere': { do: (w) => rm(join(w, 'README.md')), paths: ['README.md'] },
    'a rename into scope': { do: (w) => git(w, ['mv', 'README.md', 'src/README.md']), paths: ['README.md'] },
    'a protected file': {
      do: (w) => mkdir(join(w, 'src/protected')).then(() => writeFile(join(w, 'src/protected/x'), 'x')),
      paths: ['src/protected/x'],
    },
    attributes: { do: (w) => writeFile(join(w, 'src/.gitattributes'), '*.c -diff\n'), paths: ['src/.gitattributes'] },
    modules: { do: (w) => writeFile(join(w, 'src/.gitmodules'), ''), paths: ['src/.gitmodules'] },
    'a name for .git': { do: (w) => writeFile(join(w, 'src/GIT~1'), ''), paths: ['src/GIT~1'] },
    'an absolute link': { do: (w) => symlink('/etc/passwd', join(w, 'src/passwd')), paths: ['src/passwd'] },
    'a link out': { do: (w) => symlink('../../other', join(w, 'src/out')), paths: ['src/out'] },
    'a link through a link': { do: (w) => symlink('link-folder/../..', join(w, 'src/out')), paths: ['src/out'] },
    'a link into .git': { do: (w) => symlink('../.git', join(w, 'src/dot')), paths: ['src/dot'] },
    'a folder replaced by a link': {
      do: (w) => rm(join(w, 'docs'), { recursive: true }).then(() => symlink('src', join(w, 'docs'))),
      paths: ['docs'],
    },
    'a nested repository': {
      do: async (w) => {
        await git(w, ['init', '-q', 'src/nested']);
        await git(join(w, 'src/nested'), ['commit', '-q', '--allow-empty', '-m', 'x']);
      },
      paths: ['src/nested'],
    },
    'an empty nested repository': { do: (w) => git(w, ['init', '-q', 'src/nested']), paths: ['src/nested'] },
    'a pipe for a file': {
      do: async (w) => {
        await rm(join(w, 'src/main.c'));
        await git(w, ['-c', `alias.pipe=!mkfifo src/main.c`, 'pipe']);
      },
      paths: ['src/main.c'],
    },
  };
  for (const [name, { do: act, paths }] of Object.entries(refused)) {
    it(`refuses ${name}`, async () => {
      const { hub, checkout, propose } = await workshop();
      const worktree = await checkout('a');
      await act(worktree);
      const error = await propose(worktree).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(ScopeError);
      expect(error).toMatchObject({ paths });
      expect(await resolve(hub, candidateRef('test', 1))).toBeNull();
    });
  }

  it.each<[string, (worktree: string, elsewhere: string) => Promise<unknown>]>([
    ['gone', async () => {}],
    ['a link to files of somebody else', (worktree, elsewhere) => symlink(elsewhere, worktree)],
    ['a file', (worktree) => writeFile(worktree, 'x')],
  ])('refuses a worktree that is %s', async (_name, replace) => {
    const { hub, checkout, propose } = await workshop();
    const [worktree, elsewhere] = [await checkout('a'), await checkout('b')];
    await appendFile(join(elsewhere, 'src/main.c'), 'secret\n');
    await rm(worktree, { recursive: true });
    await replace(worktree, elsewhere);
    await expect(propose(worktree)).rejects.toThrow(ScopeError);
    expect(await resolve(hub, candidateRef('test', 1))).toBeNull();
  });

  it('refuses more bytes than may be kept, and takes them away', async () => {
    const { checkout, propose } = await workshop();
    const worktree = await checkout('a');
    for (const name of ['one', 'two']) await writeFile(join(worktree, 'src', name), Buffer.alloc(600));
    await expect(propose(worktree, { mostBytes: 1_199 })).rejects.toThrow(ScopeError);
    expect(existsSync(join(worktree, 'src/one'))).toBe(false);
    for (const name of ['one', 'two']) await writeFile(join(worktree, 'src', name), Buffer.alloc(600));
    expect(await propose(worktree, { mostBytes: 1_200 })).toMatchObject({ kind: 'commit' });
  });

  it('opens control files only to a pattern that speaks of them', async () => {
    const { checkout, propose } = await workshop();
    const worktree = await checkout('a');
    await writeFile(join(worktree, 'src/.gitignore'), 'x\n');
    await expect(propose(worktree, { scope: { edit: ['*'], protect: [] } })).rejects.toThrow(ScopeError);
    const proposed = await propose(worktree, { scope: { edit: ['*', '.gitignore'], protect: [] } });
    expect(proposed.kind).toBe('commit');
  });

  it('copes with files and folders that nobody may read', async () => {
    const { hub, checkout, propose } = await workshop();
    const worktree = await checkout('a');
    await appendFile(join(worktree, 'src/main.c'), 'x\n');
    await chmod(join(worktree, 'src/main.c'), 0o000);
    await chmod(join(worktree, 'docs'), 0o000);
    await chmod(join(worktree, 'src/deep'), 0o000);
    const proposed = await propose(worktree);
    expect(proposed).toMatchObject({ kind: 'commit', changes: [{ path: 'src/main.c', newMode: '100644' }] });
    expect((await listTree(hub, commitOf(proposed))).map(({ path }) => path)).toContain('src/deep/er/file');
  });

  it('takes a file with a folder of junk in its place for deleted', async () => {
    const { checkout, propose } = await workshop();
    const worktree = await checkout('a');
    await rm(join(worktree, 'src/main.c'));
    await mkdir(join(worktree, 'src/main.c'));
    await writeFile(join(worktree, 'src/main.c/junk.o'), 'x');
    expect(await propose(worktree)).toMatchObject({ changes: [{ path: 'src/main.c', status: 'deleted' }] });
  });

  it('takes a hard link to a file elsewhere as a copy', async () => {
    const { dir, checkout, propose } = await workshop();
    const worktree = await checkout('a');
    await writeFile(join(dir, 'grader'), 'secret\n');
    await link(join(dir, 'grader'), join(worktree, 'src/grader'));
    expect(await propose(worktree)).toMatchObject({
      kind: 'commit',
      changes: [{ path: 'src/grader', newMode: '100644' }],
    });
  });

  it('works with SHA-256 objects', async () => {
    const { hub, root, checkout, propose } = await workshop('sha256');
    const worktree = await checkout('a');
    await editAwkward(worktree);
    const record = await readCommit(hub, commitOf(await propose(worktree)));
    expect(record).toMatchObject({ parents: [root], author: 'Clade <clade@localhost>', message: 'Try something\n' });
    expect(record.oid).toHaveLength(64);
  });
});
