import { resolve } from 'node:path';

/** What a person names on the command line as the place of a repository: a URL as it is, a path made absolute. */
export function placeOf(named: string | undefined): string | null {
  if (named === undefined) return null;
  return isRemote(named) ? named : resolve(named);
}

/** True for what git takes as a URL: `scheme://…` or `host:path`. Everything else is a path on this machine. */
export function isRemote(repository: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(repository) || /^[^/\\:]{2,}:/.test(repository);
}
