import { readFile } from 'node:fs/promises';
import { launch } from '../launch.ts';
import { ownGroup, parentOfLeaves } from './hierarchy.ts';
import { makeLeaf } from './leaf.ts';

/** Where leaves can be made; null with the reason when they cannot. */
export interface CgroupProbe {
  readonly folder: string | null;
  readonly reason: string;
}

const TRIAL_MEMORY_BYTES = 64 * 2 ** 20;

/** Finds out by making a leaf, starting a process in it, and removing it. */
export async function probeCgroup(): Promise<CgroupProbe> {
  try {
    const [mountinfo, cgroup] = await Promise.all(
      ['mountinfo', 'cgroup'].map((file) => readFile(`/proc/self/${file}`, 'utf8')),
    );
    const own = ownGroup(mountinfo ?? '', cgroup ?? '');
    if ('reason' in own) return { folder: null, reason: own.reason };
    const parent = await parentOfLeaves(own);
    if (parent.folder === null) return parent;
    return await tryLeaf(parent.folder);
  } catch (error) {
    return { folder: null, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function tryLeaf(folder: string): Promise<CgroupProbe> {
  const leaf = await makeLeaf(folder, TRIAL_MEMORY_BYTES);
  try {
    const [file, ...argv] = [...leaf.prefix, '/bin/true'] as const;
    const child = await launch({ file, argv, cwd: '/', env: {}, detached: true, outputs: 2 }, [() => {}, () => {}]);
    const exit = await child.exited;
    child.release();
    if (exit.code === 0) return { folder, reason: '' };
    return { folder: null, reason: `no process can be moved into a leaf of ${folder}` };
  } finally {
    await leaf.close();
  }
}
