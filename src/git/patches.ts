import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fragilePaths } from './binary.ts';
import { commitMessage, lineage, readCommit } from './commit.ts';
import { identity } from './environment.ts';
import type { Hub } from './hub.ts';
import { act, type Site } from './run.ts';
import { inScratch } from './scratch.ts';

/** A mail that a plain `git am` applies; `name` is a file name such as `0001-title.patch`. */
export interface Patch {
  readonly name: string;
  readonly bytes: Buffer;
}

/** One patch for each commit of root..commit, oldest first; the same commits give the same bytes. */
export async function formatSeries(hub: Hub, root: string, commit: string): Promise<Patch[]> {
  const commits = await lineage(hub, root, commit);
  if (commits.length === 0) return [];
  const fragile = await fragilePaths(hub, [root, ...commits]);
  return await inScratch(hub, fragile, (site, dir) => format(site, join(dir, 'out'), root, commit));
}

/** One patch for the whole difference root..commit, under the given message (default: the commit's own). */
export async function formatSquashed(hub: Hub, root: string, commit: string, message?: string): Promise<Patch[]> {
  if (root === commit) return [];
  const record = await readCommit(hub, commit);
  const fragile = await fragilePaths(hub, [root, commit]);
  return await inScratch(hub, fragile, async (site, dir) => {
    const env = identity(new Date(record.authorSeconds * 1000));
    const text = commitMessage(message ?? record.message);
    const { stdout } = await act({ ...site, env }, ['commit-tree', '-p', root, record.tree], { stdin: text });
    return await format(site, join(dir, 'out'), root, stdout.toString().trim());
  });
}

async function format(site: Site, out: string, root: string, commit: string): Promise<Patch[]> {
  const options = ['--binary', '--full-index', '-M', '--no-signature', '--src-prefix=a/', '--dst-prefix=b/'];
  const encoding = ['--encode-email-headers', '--no-ext-diff', '--no-textconv', '--diff-algorithm=myers'];
  await act(site, ['format-patch', '--quiet', '-o', out, ...options, ...encoding, `${root}..${commit}`]);
  const names = (await readdir(out)).sort();
  return await Promise.all(names.map(async (name) => ({ name, bytes: await readFile(join(out, name)) })));
}
