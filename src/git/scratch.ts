import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hub } from './hub.ts';
import { encodePath, quote } from './path.ts';
import type { Site } from './run.ts';

/**
 * Runs `work` in a throw-away repository that borrows the hub's objects and has attributes of its own: these win over
 * every .gitattributes, and the hub's must not change under other commands. Written by hand, it costs no process.
 * @param binary paths whose changes are to be written as binary patches.
 */
export async function inScratch<T>(
  hub: Hub,
  binary: Iterable<string>,
  work: (site: Site, dir: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'clade-scratch-'));
  try {
    const gitDir = join(dir, 'git');
    for (const folder of ['objects/info', 'refs', 'info']) await mkdir(join(gitDir, folder), { recursive: true });
    await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n');
    await writeFile(join(gitDir, 'config'), await readFile(join(hub.dir, 'config')));
    await writeFile(join(gitDir, 'objects/info/alternates'), `${join(hub.dir, 'objects')}\n`);
    await writeFile(join(gitDir, 'info/attributes'), ['* !diff', ...Array.from(binary, binaryRule), ''].join('\n'));
    const shallow = join(hub.dir, 'shallow');
    if (existsSync(shallow)) await copyFile(shallow, join(gitDir, 'shallow'));
    return await work({ gitDir }, dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** An attribute line that means exactly one path; the quotes take any byte, the backslashes stop wildcards. */
export function binaryRule(path: string): string {
  const escaped = encodePath(path)
    .toString('latin1')
    .replaceAll(/[\\*?[\]]/g, '\\$&');
  return `${quote(Buffer.from(`/${escaped}`, 'latin1'))} -diff`;
}
