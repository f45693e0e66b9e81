import { accessSync, constants, existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, relative, sep } from 'node:path';

const SYSTEM = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64'];
const ETC = ['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'passwd', 'group', 'ssl', 'pki', 'ca-certificates'];
const ETC_MORE = ['alternatives', 'nsswitch.conf', 'localtime', 'hosts', 'mime.types'];
const ETC_NETWORK = ['resolv.conf', 'services', 'protocols', 'host.conf', 'gai.conf'];

/**
 * What a program needs of the host to run at all: system folders, a few files of /etc, the running Node with its install
 * prefix, and the folders of `searchPath` (a PATH) that lie elsewhere.
 */
export function systemPaths(searchPath: string, network: boolean): string[] {
  const etc = [...ETC, ...ETC_MORE, ...(network ? ETC_NETWORK : [])].map((name) => join('/etc', name));
  const elsewhere = searchPath.split(delimiter).filter((path) => path.startsWith('/') && !tooWide(path));
  const outside = [...nodePaths(), ...elsewhere].filter((path) => !SYSTEM.some((system) => contains(system, path)));
  return [...new Set([...SYSTEM, ...etc, ...outside.filter(readable)])];
}

/** Bubblewrap passes over a path that is missing, but gives up on one that it may not read. */
function readable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return true;
  } catch {
    // Whatever hides it from us hides it from the child, too.
    return false;
  }
}

/** Whether `path` is `parent` or lies below it. Both absolute. */
export function contains(parent: string, path: string): boolean {
  const way = relative(parent, path);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

/** The prefix only when it looks like an install of Node: for a binary in ~/bin it would be the whole home. */
function nodePaths(): string[] {
  const bin = dirname(realpathSync(process.execPath));
  const prefix = dirname(bin);
  const isPrefix = existsSync(join(prefix, 'lib/node_modules')) || existsSync(join(prefix, 'include/node'));
  return isPrefix && !tooWide(prefix) ? [bin, prefix] : [bin];
}

/** A folder that holds the user's home, or is it, is never bound. */
function tooWide(path: string): boolean {
  return contains(path, homedir());
}
