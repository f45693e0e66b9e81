/** True for what git takes as a URL: `scheme://…` or `host:path`. Everything else is a path on this machine. */
export function isRemote(repository: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(repository) || /^[^/\\:]{2,}:/.test(repository);
}
