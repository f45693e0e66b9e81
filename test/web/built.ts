import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'vite';

const HOME = resolve(import.meta.dirname, '../..');

/** The page, built into a folder of its own. */
export async function builtPage(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-page-'));
  const options = {
    configFile: join(HOME, 'vite.config.ts'),
    root: join(HOME, 'src/web/page'),
    build: { outDir: folder },
  };
  await build({ ...options, configLoader: 'native' });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
