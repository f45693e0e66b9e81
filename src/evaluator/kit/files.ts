import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './refusal.ts';

/** The regular files that the patterns match, by path, in an order that does not depend on the file system. */
export function listFiles(directory: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: directory })
    .filter((path) => statSync(join(directory, path)).isFile())
    .sort();
}

/**
 * A hash of the names and contents of the files that the patterns match: equal builds are measured once.
 *
 * @throws Refusal `build` when there are none: all candidates would be the same then
 */
export function identityOf(directory: string, patterns: readonly string[]): string {
  const paths = listFiles(directory, patterns);
  if (paths.length === 0) throw new Refusal('build', `there is no file ${patterns.join(' or ')} after the build`);
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(join(directory, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return `sha256:${hash.digest('hex')}`;
}
