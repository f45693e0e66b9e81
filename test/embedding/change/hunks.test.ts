import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { hunkVector, localProvider, memoryCache, parseDiff } from '../../../src/embedding/index.ts';

/** The diff that Git itself makes between two sets of files. */
async function diffOf(before: Record<string, string>, after: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-hunks-'));
  try {
    const git = (...args: string[]) =>
      execa('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder, stripFinalNewline: false });
    await git('init', '-q');
    for (const files of [before, after]) {
      await git('rm', '-rq', '--ignore-unmatch', '.');
      for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
      await git('add', '-A');
      await git('commit', '-qm', 'x', '--allow-empty');
    }
    return (await git('diff-tree', '-r', '-p', '-M', 'HEAD~1', 'HEAD')).stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, line) => `line ${line}\n`);

describe('parseDiff', () => {
  it('reads what Git writes: files, hunks and counted lines', async () => {
    const lines = numbered(60);
    const edited = lines.with(3, 'changed\n').toSpliced(40, 2);
    const files = parseDiff(
      await diffOf(
        { 'a file.txt': lines.join(''), 'gone.txt': 'x\ny\n', 'same.txt': 's\n' },
        { 'a file.txt': edited.join(''), 'new.txt': 'n', 'same.txt': 's\n' },
      ),
    );
    expect(files.map(({ path, status }) => [path, status])).toEqual([
      ['a file.txt', 'modified'],
      ['gone.txt', 'deleted'],
      ['new.txt', 'added'],
    ]);
    const counts = files.map(({ hunks }) => hunks.map(({ added, deleted }) => [added, deleted]));
    expect(counts).toEqual([
      [
        [1, 1],
        [0, 2],
      ],
      [[0, 2]],
      [[1, 0]],
    ]);
    expect(files[0]?.hunks[0]?.text).toContain('\n-line 3\n+changed\n line 4\n');
  });

  it('takes content that looks like a header for content', async () => {
    const files = parseDiff(
      await diffOf(
        { 'a.txt': 'keep\n-- b/old\n' },
        { 'a.txt': 'keep\n++ b/evil\n@@ -1 +1 @@\ndiff --git a/x b/x\n', 'b.txt': 'b\n' },
      ),
    );
    expect(files.map(({ path }) => path)).toEqual(['a.txt', 'b.txt']);
    expect(files[0]?.hunks).toHaveLength(1);
    expect(files[0]?.hunks[0]).toMatchObject({ added: 3, deleted: 1 });
  });

  it('has a file without hunks for a rename and for a binary', async () => {
    const text = numbered(30).join('');
    const files = parseDiff(await diffOf({ 'old.txt': text, bin: '\0a' }, { 'new.txt': text, bin: '\0b' }));
    expect(files).toEqual([
      { path: 'bin', status: 'modified', hunks: [] },
      { path: 'new.txt', status: 'modified', hunks: [] },
    ]);
  });

  it('has nothing to say about nothing, and survives a cut', async () => {
    expect(parseDiff('')).toEqual([]);
    const whole = await diffOf({ 'a.txt': 'a\n' }, { 'a.txt': numbered(20).join('') });
    const cut = whole.slice(0, whole.indexOf('+line 7'));
    expect(parseDiff(cut)[0]?.hunks[0]).toMatchObject({ added: 7, deleted: 1 });
  });
});

describe('hunkVector', () => {
  const provider = localProvider(64);
  const signal = new AbortController().signal;
  const file = (...texts: string[]) => [
    { path: 'a', status: 'modified' as const, hunks: texts.map((text) => ({ text, added: 1, deleted: 0 })) },
  ];

  it('is the mean of the hunks, and zero without any', async () => {
    const deps = { provider, cache: memoryCache(), signal };
    const [a, b] = await provider.embed(['+let a = 1;\n', '+return f(x);\n'], signal);
    const mean = await hunkVector(deps, file('+let a = 1;\n', '+return f(x);\n'));
    for (const [j, x] of mean.entries()) expect(x).toBeCloseTo(((a?.[j] ?? 0) + (b?.[j] ?? 0)) / 2, 6);
    expect(await hunkVector(deps, [])).toEqual(new Float32Array(64));
  });

  it('embeds a text once', async () => {
    let texts = 0;
    const counting = {
      ...provider,
      embed: (asked: readonly string[], stop: AbortSignal) => {
        texts += asked.length;
        return provider.embed(asked, stop);
      },
    };
    const deps = { provider: counting, cache: memoryCache(), signal };
    const first = await hunkVector(deps, file('+a\n', '+b\n', '+a\n'));
    expect(await hunkVector(deps, file('+a\n', '+b\n', '+a\n'))).toEqual(first);
    expect(texts).toBe(2);
  });

  it('tells an edit from its undoing', async () => {
    const deps = { provider, cache: memoryCache(), signal };
    expect(await hunkVector(deps, file('-a = 1\n+a = 2\n'))).not.toEqual(
      await hunkVector(deps, file('-a = 2\n+a = 1\n')),
    );
  });
});
