import { existsSync } from 'node:fs';
import { readFile, stat, statfs } from 'node:fs/promises';
import { heldFiles } from './held-files.ts';

/** What the processes of a run have mapped at one moment. */
export interface MappedMemory {
  /** Sum of proportional set sizes: a page that n processes share counts in each as its n-th part. */
  readonly bytes: number;
  /** The part of it that is shared memory, or mapped from a file system in memory. */
  readonly sharedBytes: number;
  /** How many processes showed only their resident set, in which shared pages count whole. */
  readonly approximate: number;
}

const NOTHING: MappedMemory = { bytes: 0, sharedBytes: 0, approximate: 0 };
const PAGE_BYTES = 4096;

/** Reads `/proc/<pid>/smaps_rollup` of each (proc(5), since Linux 4.14), off the main thread: a large process takes a while. */
export async function mappedBy(pids: readonly number[]): Promise<MappedMemory> {
  const all = await Promise.all(pids.map(mappedByOne));
  return all.reduce(
    (sum, one) => ({
      bytes: sum.bytes + one.bytes,
      sharedBytes: sum.sharedBytes + one.sharedBytes,
      approximate: sum.approximate + one.approximate,
    }),
    NOTHING,
  );
}

async function mappedByOne(pid: number): Promise<MappedMemory> {
  try {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'latin1');
    return { bytes: kibibytes(rollup, 'Pss'), sharedBytes: kibibytes(rollup, 'Pss_Shmem'), approximate: 0 };
  } catch (error) {
    const refused = error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM');
    // It ended; one that is about to still shows its resident set.
    if (!refused && existsSync('/proc/self/smaps_rollup')) return NOTHING;
    // It changed its user, or the kernel is older.
    const bytes = await residentOf(pid);
    return bytes === 0 ? NOTHING : { bytes, sharedBytes: 0, approximate: 1 };
  }
}

/** Second field of `/proc/<pid>/statm`; 0 for one that ended. */
async function residentOf(pid: number): Promise<number> {
  try {
    return Number((await readFile(`/proc/${pid}/statm`, 'latin1')).split(' ')[1]) * PAGE_BYTES;
  } catch {
    // Gone since it was listed.
    return 0;
  }
}

/** Shared memory and files in memory of the whole machine, in bytes: one small file, cheap enough to be asked at every look. */
export async function machineShared(): Promise<number> {
  return kibibytes(await readFile('/proc/meminfo', 'latin1'), 'Shmem');
}

/** File systems in memory that a fence has of its own. */
const OWN_TMPFS = ['/tmp', '/dev/shm'];

/**
 * What a run keeps in memory whether or not it is mapped, in bytes: files of memfd_create(2), and those in the memory file
 * systems that only `inside` sees, a process within the fence (null: there is no fence).
 */
export async function keptInFiles(pids: readonly number[], inside: number | null): Promise<number> {
  const own = inside === null ? [] : await Promise.all(OWN_TMPFS.map((path) => usedOf(inside, path)));
  const held = (await heldFiles(pids)).filter(({ memory }) => memory);
  return own.reduce((sum, bytes) => sum + bytes, 0) + held.reduce((sum, { bytes }) => sum + bytes, 0);
}

async function usedOf(inside: number, path: string): Promise<number> {
  const seen = `/proc/${inside}/root${path}`;
  try {
    const [own, ours, { blocks, bfree, bsize }] = await Promise.all([stat(seen), stat(path), statfs(seen)]);
    // While the fence is set up the path still leads to the host's.
    return own.dev === ours.dev ? 0 : (blocks - bfree) * bsize;
  } catch {
    // The process through which the path leads has ended, or the fence has no such folder yet.
    return 0;
  }
}

/** Reads a line `Name:   123 kB`. */
function kibibytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? 0) * 1024;
}
