import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives `work` an empty folder that is gone afterwards. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-bench-'));
  try {
    return await work(folder);
  } finally {
    await unlock(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pinned evaluators are read-only folders, out of which only root may delete. */
async function unlock(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (entry.isDirectory() && entry.parentPath.includes('bundles'))
      await chmod(join(entry.parentPath, entry.name), 0o755);
  }
}
