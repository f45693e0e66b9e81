import { rm } from 'node:fs/promises';
import { GitError } from '../errors.ts';
import { importFolder } from './folder.ts';
import { createHub, type Hub } from './hub.ts';
import { listRefs, rootRef } from './ref.ts';
import { ask } from './run.ts';
import { fetchRevision, idLength, type Source, sourceOf } from './source.ts';

export interface Imported {
  readonly commit: string;
  readonly tree: string;
}

/**
 * Brings the target's root into the hub and holds it by `refs/clade/<campaign>/root`. `repository` is a URL, an absolute
 * path of a repository, or an absolute path of a plain folder (which becomes one deterministic root commit, `root` unused).
 * @throws ConfigurationError when there is no such repository or revision.
 */
export async function importTarget(
  hub: Hub,
  target: { campaign: string; repository: string; root: string },
): Promise<Imported> {
  const source = sourceOf(target.repository);
  const ref = rootRef(target.campaign);
  const commit = await bring(hub, source, target.root, ref);
  const tree = (await ask({ gitDir: hub.dir }, ['rev-parse', '--verify', `${commit}^{tree}`])).trim();
  return { commit, tree };
}

/** Brings one revision of a source into the hub under `ref` and returns its commit. */
export async function bring(hub: Hub, source: Source, revision: string, ref: string): Promise<string> {
  if (source.kind === 'folder') return await importFolder(hub, source.dir, ref);
  await matchObjectFormat(hub, await idLength(hub, source));
  return await fetchRevision(hub, source, revision, ref);
}

/** A hub holds one kind of object ids; an empty one is made anew in the kind of its source. */
async function matchObjectFormat(hub: Hub, length: number): Promise<void> {
  const wanted = length === 64 ? 'sha256' : 'sha1';
  const format = (await ask({ gitDir: hub.dir }, ['rev-parse', '--show-object-format'])).trim();
  if (format === wanted) return;
  if ((await listRefs(hub, 'refs/')).size > 0) {
    throw new GitError(`the hub holds ${format} objects, the target has ${wanted}`, '', {
      hint: 'use a hub of its own',
    });
  }
  await rm(hub.dir, { recursive: true });
  await createHub(hub.dir, wanted);
}
