import { stat, statfs } from 'node:fs/promises';
import { inMebibytes } from './amount.ts';
import { lacksFiles } from './full.ts';
import { INODE_BYTES, type Since, writtenSince } from './written.ts';

/** What a look at the disk found wrong. */
export interface DiskTrouble {
  /** limit: this run wrote too much; full: the disk is at its end, and that is not this run's doing. */
  readonly kind: 'limit' | 'full';
  readonly message: string;
}

/** Looks at what a run takes of the disk. */
export interface DiskWatch {
  look(pids: readonly number[]): Promise<DiskTrouble | null>;
}

/** Free space of one file system, in bytes; inodes are counted as what a file costs beside its blocks. */
export interface Room {
  readonly path: string;
  readonly device: number;
  readonly freeBytes: number;
  readonly freeInodes: number;
  /** Whether nearly no file more fits on it, as far as it says. */
  readonly lacksFiles: boolean;
}

/** Kept free on every disk that a run writes to: this much, or a part of what was free when that was little. */
const RESERVE_BYTES = 2 ** 30;
const RESERVE_PART = 1 / 16;

/**
 * Watches `limitBytes` over all writable folders together. What a run wrote is only counted file by file when the free space
 * of the file systems fell by more than the limit: until then the run cannot have written so much. What others free meanwhile
 * raises the mark from which the fall is measured.
 *
 * @throws when a file system cannot be asked.
 */
export async function createDiskWatch(
  since: Since,
  limitBytes: number,
  roomOf: (folders: readonly string[]) => Promise<readonly Room[]> = roomOnDisk,
): Promise<DiskWatch> {
  const first = await roomOf(since.folders);
  const reserves = new Map(first.map((room) => [room.device, Math.min(RESERVE_BYTES, room.freeBytes * RESERVE_PART)]));
  let marks = first;
  // How far free space may fall from `marks` before it is worth counting.
  let allowance = limitBytes;

  return {
    async look(pids) {
      const now = await roomOf(since.folders);
      marks = highest(marks, now);
      const narrow = now.find((room) => room.lacksFiles || room.freeBytes < (reserves.get(room.device) ?? 0));
      if (fall(marks, now) <= allowance && narrow === undefined) return null;
      const { bytes, hidden } = await writtenSince(since, pids, limitBytes);
      // Who locked his folders against us is judged by what the disk lost.
      const written = hidden ? Math.max(bytes, fall(first, now)) : bytes;
      if (written > limitBytes) {
        return { kind: 'limit', message: `disk limit of ${inMebibytes(limitBytes)} exceeded by what the run wrote` };
      }
      if (narrow !== undefined) {
        const left = narrow.lacksFiles ? 'no files more' : inMebibytes(narrow.freeBytes);
        const own = inMebibytes(written);
        return { kind: 'full', message: `${left} are left on the disk of ${narrow.path}; this run wrote ${own} of it` };
      }
      marks = now;
      allowance = limitBytes - written;
      return null;
    },
  };
}

/** One entry for each file system. */
async function roomOnDisk(folders: readonly string[]): Promise<Room[]> {
  const rooms = new Map<number, Room>();
  for (const path of folders) {
    try {
      const [{ dev: device }, room] = [await stat(path), await statfs(path)];
      // Root may use the blocks that are reserved.
      const blocks = process.getuid?.() === 0 ? room.bfree : room.bavail;
      rooms.set(device, {
        path,
        device,
        freeBytes: blocks * room.bsize,
        freeInodes: room.ffree,
        lacksFiles: lacksFiles(room),
      });
    } catch (error) {
      // A folder that the run removed, or that never was, takes no room. Anything else the caller must hear of.
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return [...rooms.values()];
}

function highest(marks: readonly Room[], now: readonly Room[]): Room[] {
  return now.map((room) => {
    const mark = marks.find(({ device }) => device === room.device) ?? room;
    return {
      ...room,
      freeBytes: Math.max(room.freeBytes, mark.freeBytes),
      freeInodes: Math.max(room.freeInodes, mark.freeInodes),
    };
  });
}

function fall(from: readonly Room[], to: readonly Room[]): number {
  return to.reduce((sum, room) => {
    const mark = from.find(({ device }) => device === room.device) ?? room;
    const inodes = Math.max(0, mark.freeInodes - room.freeInodes) * INODE_BYTES;
    return sum + Math.max(0, mark.freeBytes - room.freeBytes) + inodes;
  }, 0);
}
