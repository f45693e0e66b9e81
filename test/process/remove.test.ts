import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeFolder } from '../../src/process/index.ts';
import { scratchFolder } from './fixture.ts';

const scratch = await scratchFolder();
const DEEP =
  'for (1..30) { mkdir "d" x 200; chdir "d" x 200 } symlink $ARGV[0], "link"; mkdir "locked"; chmod 0, "locked"';

test('a folder goes with paths too long to be asked for, locked folders and links, but not what these lead to', async () => {
  const [folder, outside] = [join(scratch, 'folder'), join(scratch, 'outside')];
  for (const path of [folder, outside]) await mkdir(path);
  await writeFile(join(outside, 'kept'), 'kept', { mode: 0o400 });
  execFileSync('perl', ['-e', DEEP, outside], { cwd: folder });
  await symlink(outside, join(folder, 'link'));
  await removeFolder(folder);
  expect(existsSync(folder)).toBe(false);
  expect(execFileSync('stat', ['-c', '%a', join(outside, 'kept')], { encoding: 'utf8' })).toBe('400\n');
});

test('of a link only the link goes, and what is not there is fine', async () => {
  const [link, outside] = [join(scratch, 'link'), join(scratch, 'elsewhere')];
  await mkdir(outside);
  await symlink(outside, link);
  await removeFolder(link);
  await removeFolder(link);
  expect([existsSync(link), existsSync(outside)]).toEqual([false, true]);
});

test('what stays is an error', async () => {
  await expect(removeFolder('/proc/self/environ')).rejects.toMatchObject({ code: 'infrastructure' });
});
