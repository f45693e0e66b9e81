import type { Hub } from './hub.ts';

export interface Imported {
  readonly commit: string;
  readonly tree: string;
}

/**
 * Brings the target's root into the hub and holds it by `refs/clade/<campaign>/root`. `repository` is a URL, an absolute
 * path of a repository, or an absolute path of a plain folder (which becomes one deterministic root commit, `root` unused).
 */
export async function importTarget(
  _hub: Hub,
  _target: { campaign: string; repository: string; root: string },
): Promise<Imported> {
  throw new Error('not built yet');
}
