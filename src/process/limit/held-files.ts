import { readdirSync, readlinkSync, statSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';

/** A file without a name that somebody still has open: deleted, or never named. */
export interface HeldFile {
  readonly device: number;
  readonly bytes: number;
  /** Made by memfd_create(2): memory, on no file system that anybody can see. */
  readonly memory: boolean;
}

/** A process may have a million descriptors open; between so many of them others get their turn. */
const AT_ONCE = 1_000;

/** The nameless files that these processes hold open, each once. */
export async function heldFiles(pids: readonly number[]): Promise<HeldFile[]> {
  const held = new Map<string, HeldFile>();
  let looked = 0;
  for (const pid of pids) {
    for (const descriptor of descriptorsOf(pid)) {
      if (++looked % AT_ONCE === 0) await breathe();
      const file = fileAt(`/proc/${pid}/fd/${descriptor}`);
      if (file !== null) held.set(file.key, file);
    }
  }
  return [...held.values()];
}

function descriptorsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`);
  } catch {
    // It ended meanwhile, or changed its user: what that one holds is not counted.
    return [];
  }
}

function fileAt(path: string): (HeldFile & { readonly key: string }) | null {
  try {
    const { dev, ino, nlink, blocks, mode } = statSync(path);
    if (nlink > 0 || (mode & 0o170000) !== 0o100000) return null;
    const memory = readlinkSync(path).startsWith('/memfd:');
    return { key: `${dev}:${ino}`, device: dev, bytes: blocks * 512, memory };
  } catch {
    // Closed meanwhile.
    return null;
  }
}
