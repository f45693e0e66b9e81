import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bulk } from '../../store/index.ts';

/** Files of a folder on this machine. */
export interface Files extends Bulk {
  readonly folder: string;
  readonly names: readonly string[];
}

/** Those of some files that are in a folder, with their sizes. */
export async function filesOf(folder: string, wanted: (name: string) => boolean): Promise<Files> {
  const names = (await readdir(folder).catch(none)).filter(wanted);
  const sizes = await Promise.all(names.map((name) => stat(join(folder, name)).then(({ size }) => size)));
  return { folder, names, items: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

export async function removeFiles({ folder, names }: Files): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true });
}

/** Nothing was ever written there. */
function none(error: unknown): string[] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}
