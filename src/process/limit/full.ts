import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';

/** Where less than this is left, a write may have been refused a moment ago: others free some while we look. */
const LEAST_BYTES = 2 ** 20;
const LEAST_FILES = 64;

/** Some file systems make inodes as they need them, and say 0 of 0. */
export const lacksFiles = ({ files, ffree }: Pick<StatsFs, 'files' | 'ffree'>): boolean =>
  files > 0 && ffree < LEAST_FILES;

/**
 * Which disk of these folders is full, as a sentence; null: none. To be asked when a run has ended: what it failed of may be the disk, and one
 * that was full before it began, or filled up between two looks of the watch, no watch sees.
 */
export async function fullDisk(folders: readonly string[]): Promise<string | null> {
  for (const path of folders) {
    // A folder that the run removed takes no room.
    const room = await statfs(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (room === null) continue;
    // Root may use the blocks that are reserved.
    const blocks = process.getuid?.() === 0 ? room.bfree : room.bavail;
    // Some have no blocks at all.
    if (room.blocks > 0 && blocks * room.bsize < LEAST_BYTES) return `there is no space left on the disk of ${path}`;
    if (lacksFiles(room)) return `there is no room for a file left on the disk of ${path}`;
  }
  return null;
}
