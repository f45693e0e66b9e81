import { chmod, lstat, mkdir, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { pinBundle, verifyBundle } from '../../src/evaluator/index.ts';
import { campaignOf, scratchFolder } from './fixture.ts';

const scratch = await scratchFolder();
const directory = join(scratch, 'campaign');
const into = join(scratch, 'bundles');
const campaign = campaignOf({
  directory,
  repository: join(directory, 'target'),
  evaluator: { hidden: [{ path: join(directory, 'data/holdout'), splits: ['holdout'] }] },
});

async function put(path: string, text = path): Promise<void> {
  await mkdir(join(directory, path, '..'), { recursive: true });
  await writeFile(join(directory, path), text);
}

beforeEach(async () => {
  await rm(directory, { recursive: true, force: true });
  await rm(into, { recursive: true, force: true });
  const inside = ['evaluate.js', 'data/train/a', 'data/target/kept'];
  const outside = ['campaign.yaml', 'target/src', 'data/holdout/b', 'node_modules/x', 'lib/node_modules/y', '.clade/z'];
  for (const path of [...inside, ...outside]) await put(path);
  await chmod(join(directory, 'evaluate.js'), 0o755);
  await symlink('data/train/a', join(directory, 'link'));
});

test('a bundle holds the judge and not what lies beside it', async () => {
  const { dir, hash } = await pinBundle(campaign, into);
  expect(dir).toBe(join(into, hash));
  const all = await readdir(dir, { recursive: true });
  expect(all.filter((path) => !path.startsWith('node_modules')).sort()).toEqual(
    ['data', 'data/target', 'data/target/kept', 'data/train', 'data/train/a', 'evaluate.js', 'lib', 'link'].sort(),
  );
  expect(await readFile(join(dir, 'evaluate.js'), 'utf8')).toBe('evaluate.js');
  expect(await readlink(join(dir, 'link'))).toBe('data/train/a');
  expect((await lstat(join(dir, 'evaluate.js'))).mode & 0o777).toBe(0o555);
  expect((await lstat(join(dir, 'data/train/a'))).mode & 0o777).toBe(0o444);
  expect((await lstat(join(dir, 'data'))).mode & 0o777).toBe(0o555);
});

test('the same files give the same bundle, once', async () => {
  const [first, second] = await Promise.all([pinBundle(campaign, into), pinBundle(campaign, into)]);
  expect(second).toEqual(first);
  expect(await readdir(into)).toEqual([first.hash]);
});

test.each<[string, () => Promise<void>]>([
  ['content', () => put('evaluate.js', 'changed')],
  ['an executable bit', () => chmod(join(directory, 'data/train/a'), 0o755)],
  ['a name', () => put('data/train/c')],
  [
    'the target of a link',
    async () => {
      await rm(join(directory, 'link'));
      await symlink('evaluate.js', join(directory, 'link'));
    },
  ],
])('%s is part of the hash', async (_name, change) => {
  const before = await pinBundle(campaign, into);
  await change();
  expect((await pinBundle(campaign, into)).hash).not.toBe(before.hash);
});

test('what is left out is not part of the hash', async () => {
  const before = await pinBundle(campaign, into);
  await put('campaign.yaml', 'changed');
  await put('data/holdout/b', 'changed');
  expect(await pinBundle(campaign, into)).toEqual(before);
});

test.each<[string, (dir: string) => Promise<void>]>([
  ['changed', (dir) => writeFile(join(dir, 'evaluate.js'), 'return the best')],
  ['added', (dir) => writeFile(join(dir, 'data/train/b'), '')],
  ['removed', (dir) => rm(join(dir, 'data/train/a'))],
])('a file that was %s is noticed, and the bundle is not taken again', async (_name, tamper) => {
  const bundle = await pinBundle(campaign, into);
  await expect(verifyBundle(bundle)).resolves.toBeUndefined();
  for (const path of ['', 'evaluate.js', 'data', 'data/train', 'data/train/a'])
    await chmod(join(bundle.dir, path), 0o777);
  await tamper(bundle.dir);
  await expect(verifyBundle(bundle)).rejects.toMatchObject({ code: 'infrastructure' });
  await expect(pinBundle(campaign, into)).rejects.toMatchObject({ code: 'infrastructure' });
});

test.each(['/etc/passwd', '../../elsewhere'])('a link to %s is refused: its content could change', async (target) => {
  await symlink(target, join(directory, 'data/out'));
  await expect(pinBundle(campaign, into)).rejects.toMatchObject({ code: 'configuration' });
});
