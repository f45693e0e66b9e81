import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitError } from '../errors.ts';
import { identity } from './environment.ts';
import type { Hub } from './hub.ts';
import type { Patch } from './patches.ts';
import { act, ask } from './run.ts';

export interface Proof {
  /** The fresh clone, with the patches applied and checked out. */
  readonly dir: string;
  readonly commit: string;
  readonly tree: string;
}

/**
 * Applies patches with a plain `git am` in a fresh clone of `root` at `dir` (absolute; absent or empty). Compare `tree`
 * with the winner's: that is the proof.
 * @throws GitError when a patch does not apply.
 */
export async function provePatch(
  hub: Hub,
  request: { root: string; patches: readonly Patch[]; dir: string },
): Promise<Proof> {
  const { dir, root, patches } = request;
  await mkdir(dir, { recursive: true });
  const mails = await mkdtemp(join(tmpdir(), 'clade-mails-'));
  try {
    const site = { gitDir: join(dir, '.git'), workTree: dir, home: mails, env: identity(new Date(0)) };
    const format = root.length === 64 ? 'sha256' : 'sha1';
    // A clone as anybody would have it: no attributes of ours, no alternates that tie it to the hub.
    await act(site, ['init', '--quiet', '--template=', `--object-format=${format}`]);
    await act(site, ['fetch', '--quiet', '--depth=1', '--update-shallow', '--', hub.dir, root]);
    await act(site, ['checkout', '--quiet', '--detach', root]);
    const files = patches.map(({ bytes }, index) => ({ bytes, file: join(mails, `${index}`.padStart(6, '0')) }));
    for (const { bytes, file } of files) await writeFile(file, bytes);
    if (files.length > 0) {
      await act(site, ['am', '--quiet', '--committer-date-is-author-date', ...files.map(({ file }) => file)]);
    }
    const [commit, tree] = (await ask(site, ['rev-parse', 'HEAD', 'HEAD^{tree}'])).trim().split('\n');
    if (commit === undefined || tree === undefined) throw new GitError('git rev-parse printed no commit', '');
    return { dir, commit, tree };
  } finally {
    await rm(mails, { recursive: true, force: true });
  }
}
