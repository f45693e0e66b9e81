import { realpathSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/**
 * What of the disk a program needs besides itself: the packages that it is installed with, which lie around the file that its name
 * links to. For an npm package that is the outermost `node_modules`, for anything else the file's folder.
 */
export function installOf(program: string): string {
  const real = realpathSync(program);
  const parts = real.split(sep);
  const packages = parts.indexOf('node_modules');
  return packages === -1 ? dirname(real) : parts.slice(0, packages + 1).join(sep);
}
