import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { ConfigurationError, GitError } from '../errors.ts';
import { type Hub, SOURCE_CONFIG } from './hub.ts';
import { quote } from './path.ts';
import { deleteRef, listRefs, resolve, updateRef } from './ref.ts';
import { act, ask, type Site } from './run.ts';

/** Where a target comes from. A folder inside another repository is a plain folder: only its own top counts. */
export type Source =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'repository'; readonly path: string; readonly gitDir: string }
  | { readonly kind: 'folder'; readonly dir: string };

/** @throws ConfigurationError when a path is not there. */
export function sourceOf(repository: string): Source {
  if (!isAbsolute(repository)) return { kind: 'url', url: repository };
  if (!existsSync(repository)) throw new ConfigurationError(`the repository does not exist: ${repository}`);
  if (existsSync(join(repository, '.git')))
    return { kind: 'repository', path: repository, gitDir: join(repository, '.git') };
  const bare = ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(repository, name)));
  return bare ? { kind: 'repository', path: repository, gitDir: repository } : { kind: 'folder', dir: repository };
}

/**
 * Length of the object ids of a source: 40 (SHA-1) or 64 (SHA-256).
 * @throws GitError when a URL cannot be read: it is the first that is asked of a source.
 */
export async function idLength(hub: Hub, source: Exclude<Source, { kind: 'folder' }>): Promise<number> {
  if (source.kind === 'repository') {
    const site = sourceSite(hub, source.gitDir);
    return (await ask(site, ['rev-parse', '--show-object-format'])).trim() === 'sha256' ? 64 : 40;
  }
  try {
    const { stdout } = await act({ gitDir: hub.dir }, ['ls-remote', '--', source.url, 'HEAD', 'refs/heads/*']);
    return /^[0-9a-f]+/.exec(stdout.toString())?.[0].length ?? 40;
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    throw new GitError(`${source.url} cannot be read`, cause.stderr, {
      cause,
      hint: 'without a network, clade check, run and patch take --target DIR: a mirror of it on this machine',
    });
  }
}

/**
 * Resolves a revision once, in the source, and brings that one commit into the hub under `ref`. Its history stays
 * behind: nothing that Clade does looks before the root, and a shallow or partial source may not have it.
 * @throws ConfigurationError when the source has no such commit.
 */
export async function fetchRevision(
  hub: Hub,
  source: Exclude<Source, { kind: 'folder' }>,
  revision: string,
  ref: string,
): Promise<string> {
  if (source.kind === 'repository') {
    const site = sourceSite(hub, source.gitDir);
    const argv = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
    const { code, stdout } = await act(site, argv, { accept: [0, 1, 128] });
    if (code !== 0) throw unknownRevision(source.path, revision);
    return await fetchOne(hub, { ...site, gitDir: hub.dir }, source.path, stdout.toString().trim(), ref);
  }
  try {
    return await fetchOne(hub, { gitDir: hub.dir }, source.url, revision, ref);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return await fetchAll(hub, source.url, revision, ref, error); // not a name or an id that the server gives out
  }
}

const sourceSite = (hub: Hub, gitDir: string): Site => ({
  gitDir,
  home: hub.dir,
  cwd: hub.dir,
  env: { GIT_CONFIG_GLOBAL: join(hub.dir, SOURCE_CONFIG) },
});

async function fetchOne(hub: Hub, site: Site, from: string, what: string, ref: string): Promise<string> {
  await act(site, [...FETCH, '--depth=1', '--', from, `+${what}:${ref}`]);
  return await peel(hub, from, what, ref);
}

/** Fetches all branches and tags with their history and resolves there: for `v1.0~3`, abbreviated ids and the like. */
async function fetchAll(hub: Hub, url: string, revision: string, ref: string, cause: GitError): Promise<string> {
  const spaces = ['heads', 'tags'];
  await act({ gitDir: hub.dir }, [
    ...FETCH,
    '--',
    url,
    ...spaces.map((space) => `+refs/${space}/*:refs/clade-import/${space}/*`),
  ]);
  try {
    for (const name of [...spaces.map((space) => `refs/clade-import/${space}/${revision}`), revision]) {
      const commit = await resolve(hub, name);
      if (commit === null) continue;
      await updateRef(hub, ref, commit);
      return commit;
    }
  } finally {
    for (const name of (await listRefs(hub, 'refs/clade-import/')).keys()) await deleteRef(hub, name);
  }
  throw unknownRevision(url, revision, cause);
}

const FETCH = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--update-shallow'];

/** A fetched annotated tag becomes the commit that it names. */
async function peel(hub: Hub, from: string, what: string, ref: string): Promise<string> {
  const commit = await resolve(hub, ref);
  if (commit === null) throw unknownRevision(from, what);
  await updateRef(hub, ref, commit);
  return commit;
}

const unknownRevision = (where: string, revision: string, cause?: unknown): ConfigurationError =>
  new ConfigurationError(`${where} has no commit ${quote(Buffer.from(revision))}`, { cause });
