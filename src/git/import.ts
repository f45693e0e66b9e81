import { importFolder } from './folder.ts';
import { matchObjectFormat } from './format.ts';
import type { Hub } from './hub.ts';
import { prepareRemote } from './mirror.ts';
import { rootRef } from './ref.ts';
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
  if (source.kind === 'folder') {
    await prepareRemote(hub, 'sha1');
    return await importFolder(hub, source.dir, ref);
  }
  const format = (await idLength(hub, source)) === 64 ? 'sha256' : 'sha1';
  await matchObjectFormat(hub, format);
  await prepareRemote(hub, format);
  return await fetchRevision(hub, source, revision, ref);
}
