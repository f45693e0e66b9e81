import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectArtifacts } from '../../src/evaluator/index.ts';
import { scratchFolder } from './fixture.ts';

const folder = await scratchFolder();
for (const name of ['a.txt', 'b.PNG', 'c.bin', 'd/e.json']) {
  await mkdir(join(folder, name, '..'), { recursive: true });
  await writeFile(join(folder, name), 'x'.repeat(10));
}

const names = async (files: number, totalBytes: number, entries: number) => {
  const collected = await collectArtifacts(folder, { files, totalBytes, entries });
  return [collected.files.map((file) => file.name).join(' '), collected.notes.length];
};

test('artifacts are listed by name with the type of their extension', async () => {
  const { files } = await collectArtifacts(folder);
  expect(files.map((file) => `${file.name} ${file.type}`)).toEqual([
    'a.txt text/plain',
    'b.PNG image/png',
    'c.bin application/octet-stream',
    'd/e.json application/json',
  ]);
});

test('their count and size are capped, and what is left out is said', async () => {
  expect(await names(2, 1000, 100)).toEqual(['a.txt b.PNG', 2]);
  expect(await names(9, 25, 100)).toEqual(['a.txt b.PNG', 2]);
  expect((await names(9, 1000, 3))[1]).toBe(1);
});

test('a folder that was removed, or replaced by a link, has no artifacts', async () => {
  const link = join(await scratchFolder(), 'link');
  await symlink(folder, link);
  for (const path of [link, join(folder, 'gone')]) {
    expect(await collectArtifacts(path)).toEqual({ files: [], notes: [expect.stringContaining('of artifacts')] });
  }
});
