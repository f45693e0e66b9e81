import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** Controllers that a leaf of ours must have. */
const NEEDED = ['memory', 'pids'];

/** Where the unified hierarchy (cgroup v2, cgroups(7)) is mounted and which of its folders is our own, or why there is none. */
export type OwnGroup = { readonly mount: string; readonly folder: string } | { readonly reason: string };

/**
 * Reads `/proc/self/mountinfo` and `/proc/self/cgroup`. Paths of the second count from the root of the cgroup namespace, which
 * is what is mounted there.
 */
export function ownGroup(mountinfo: string, cgroup: string): OwnGroup {
  const line = mountinfo.split('\n').find((candidate) => candidate.includes(' - cgroup2 '));
  const mount = line?.split(' ')[4];
  if (mount === undefined) return { reason: 'no cgroup v2 is mounted' };
  const path = /^0::(\/.*)$/m.exec(cgroup)?.[1];
  if (path === undefined || path.startsWith('/..'))
    return { reason: 'this process is in no cgroup v2 that it can see' };
  return { mount, folder: resolve(mount, `.${path}`) };
}

/**
 * The folder in which leaves can be made: our own when it hands memory and pids down (only a root can while processes are in
 * it), else the one above, where leaves become siblings of ours. Null with the reason when neither does.
 */
export async function parentOfLeaves(own: { readonly mount: string; readonly folder: string }) {
  const above = own.folder === own.mount ? [] : [dirname(own.folder)];
  const missing: string[] = [];
  for (const folder of [own.folder, ...above]) {
    const handed = (await readFile(join(folder, 'cgroup.subtree_control'), 'utf8')).trim().split(' ');
    const lacks = NEEDED.filter((controller) => !handed.includes(controller));
    if (lacks.length === 0) return { folder, reason: '' };
    missing.push(`${folder} hands no ${lacks.join(' and ')} down`);
  }
  return { folder: null, reason: missing.join(', ') };
}
