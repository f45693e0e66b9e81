import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A cgroup of one run's own, under limits that the kernel keeps. */
export interface Leaf {
  /** argv prefix that moves what follows into the leaf before it starts. */
  readonly prefix: readonly [string, ...string[]];
  /** Kills everybody in it, waits until they are gone, removes it, and says what the kernel counted. */
  close(): Promise<LeafReport>;
}

export interface LeafReport {
  /** Whether the kernel ended processes because the limit of memory was reached. */
  readonly outOfMemory: boolean;
  /** Null before Linux 5.19. */
  readonly peakBytes: number | null;
}

/** Enough for every build, and the end of a fork bomb. */
const PROCESSES = 4096;
const POLL_MS = 5;
const TEARDOWN_MS = 5_000;

/**
 * Makes a leaf below `parent`.
 * @throws as the file system does, when it cannot be made or a limit not set; nothing is left behind.
 */
export async function makeLeaf(parent: string, memoryBytes: number | null): Promise<Leaf> {
  const folder = join(parent, `clade-${process.pid}-${randomBytes(6).toString('hex')}`);
  await mkdir(folder);
  try {
    await writeFile(join(folder, 'pids.max'), `${PROCESSES}`);
    if (memoryBytes !== null) {
      await writeFile(join(folder, 'memory.max'), `${memoryBytes}`);
      // All at once: half a tree would go on and report nonsense.
      await writeFile(join(folder, 'memory.oom.group'), '1');
      await setIfThere(join(folder, 'memory.swap.max'), '0');
    }
  } catch (error) {
    await rmdir(folder);
    throw error;
  }
  return {
    prefix: ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', join(folder, 'cgroup.procs')],
    async close() {
      await writeFile(join(folder, 'cgroup.kill'), '1');
      for (let waitedMs = 0; (await isPopulated(folder)) && waitedMs < TEARDOWN_MS; waitedMs += POLL_MS) {
        await sleep(POLL_MS);
      }
      const report = await reportOf(folder);
      await rmdir(folder);
      return report;
    },
  };
}

/** Swap may not be there at all. */
async function setIfThere(file: string, value: string): Promise<void> {
  if ((await readOrNull(file)) !== null) await writeFile(file, value);
}

async function isPopulated(folder: string): Promise<boolean> {
  return counter((await readOrNull(join(folder, 'cgroup.events'))) ?? '', 'populated') > 0;
}

async function reportOf(folder: string): Promise<LeafReport> {
  const events = (await readOrNull(join(folder, 'memory.events'))) ?? '';
  const peak = await readOrNull(join(folder, 'memory.peak'));
  return {
    outOfMemory: counter(events, 'oom_kill') > 0,
    peakBytes: peak === null ? null : Number(peak),
  };
}

/** A line `name 3` of a flat keyed file. */
export function counter(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

async function readOrNull(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
