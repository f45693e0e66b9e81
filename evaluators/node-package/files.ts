import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The regular files that the patterns match, by path, in an order that does not depend on the file system. */
export function listFiles(directory: string, patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: directory })
    .filter((path) => statSync(join(directory, path)).isFile())
    .sort();
}

/** A hash of the names and contents of the files: equal builds are measured once. */
export function identityOf(directory: string, patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of listFiles(directory, patterns)) {
    const content = readFileSync(join(directory, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return `sha256:${hash.digest('hex')}`;
}
