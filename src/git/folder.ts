import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitError } from '../errors.ts';
import { identity } from './environment.ts';
import type { Hub } from './hub.ts';
import { updateRef } from './ref.ts';
import { ask } from './run.ts';
import { snapshot } from './snapshot.ts';

/**
 * Makes a plain folder one root commit, the same for the same files wherever and whenever it is done. The folder itself
 * is only read. Its .gitignore files count, `node_modules` is left out.
 * @throws GitError when the folder holds repositories of its own.
 */
export async function importFolder(hub: Hub, folder: string, ref: string): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'clade-import-'));
  try {
    const site = { gitDir: hub.dir, workTree: folder, index: join(scratch, 'index') };
    const tree = await snapshot(site, { junk: ['node_modules'] }, ({ foreign }) => {
      const shown = foreign.slice(0, 5).join(', ');
      if (foreign.length > 0) {
        throw new GitError(`${folder} holds repositories of its own: ${shown}`, '', {
          hint: 'name one of them as target',
        });
      }
    });
    const env = identity(new Date(0));
    const argv = ['commit-tree', '-m', 'Import a plain folder\n', tree];
    const commit = (await ask({ gitDir: hub.dir, env }, argv)).trim();
    await updateRef(hub, ref, commit);
    return commit;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
