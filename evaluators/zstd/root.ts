import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from 'clade/evaluator';
import { buildDriver, buildLibrary, type Library } from './build.ts';
import type { Settings } from './settings.ts';

/** What is built once for all candidates. */
export interface RootBuild {
  readonly driver: string;
  readonly library: Library;
  /** The objects of its sources, which candidates take where theirs are equal. */
  readonly objects: string;
}

/**
 * The driver and the root's library, from the cache or built into it. Its folder there is named after all that goes into it, and
 * appears complete.
 *
 * @throws MachineFault when either does not build
 */
export async function prepareRoot(
  { cache, rootDir, rootCommit }: Pick<Contract, 'cache' | 'rootDir' | 'rootCommit'>,
  settings: Settings,
): Promise<RootBuild> {
  const { sources, compiler, flags } = settings;
  const version = execFileSync(compiler, ['--version'], { encoding: 'utf8' });
  const driverText = readFileSync(join(import.meta.dirname, 'driver.c'), 'utf8');
  const key = createHash('sha256')
    .update(JSON.stringify([rootCommit, sources, compiler, flags, version, driverText]))
    .digest('hex');
  const directory = join(cache, `root-${key.slice(0, 16)}`);
  if (!existsSync(directory)) {
    const into = mkdtempSync(join(cache, 'incoming-'));
    try {
      await buildDriver(into, settings);
      const built = await buildLibrary({ directory: rootDir, whose: 'root', into, objects: null }, settings);
      writeFileSync(join(into, 'identity'), built.identity);
      renameSync(into, directory);
    } finally {
      rmSync(into, { recursive: true, force: true });
    }
  }
  const library = { path: join(directory, 'library.so'), identity: readFileSync(join(directory, 'identity'), 'utf8') };
  return { driver: join(directory, 'driver'), library, objects: join(directory, 'objects') };
}
