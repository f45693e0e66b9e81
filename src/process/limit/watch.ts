import { setTimeout as sleep } from 'node:timers/promises';
import { createDiskWatch, type DiskWatch } from './disk-watch.ts';
import type { Limits } from './limits.ts';
import { membersOf } from './members.ts';
import { createMemoryWatch, type MemoryWatch } from './memory-watch.ts';

/** What a run may not exceed, and where it may write. */
export interface Watched {
  readonly limits: Pick<Limits, 'memoryBytes' | 'diskBytes'>;
  /** The folders whose disks are watched. Absolute. */
  readonly folders: readonly string[];
  /** Whether it has file systems in memory of its own. */
  readonly privateTmp: boolean;
}

/** The processes to look at; see `membersOf`. */
export interface Run {
  readonly leader: number;
  readonly mark: string | null;
}

/** Why a run must end. `full` is the machine's trouble, not the run's. */
export interface Excess {
  readonly limit: 'memory' | 'disk' | 'full';
  readonly message: string;
}

export interface Watchdog {
  /** Starts looking. Resolves when a limit is exceeded, else never. */
  watch(run: Run): Promise<Excess>;
  /** Returns when the look that is under way is over. */
  stop(): Promise<void>;
  /** What it saw, and what it could not see. */
  seen(): { readonly peakMemoryBytes: number | null; readonly notes: readonly string[] };
}

/** The first looks come soon, so that short runs are seen at all. */
const FIRST_MS = 40;
const PERIOD_MS = 400;
/** A look should not cost more than this part of one CPU, or it would disturb what is measured; but nobody goes unseen for long. */
const SHARE = 1 / 20;
const LONGEST_MS = 1_000;

/** Times of files come from a clock that is up to a tick behind. */
const KERNEL_CLOCK_MS = 10;

/** Reads the state before the run; without a limit to watch it does nothing at all. What it cannot watch it says in its notes. */
export async function createWatchdog({ limits, folders, privateTmp }: Watched): Promise<Watchdog> {
  const stopping = new AbortController();
  const failures: string[] = [];
  const started = async <Watch>(limitBytes: number | null, create: (limitBytes: number) => Promise<Watch>) => {
    if (limitBytes === null) return null;
    try {
      return await create(limitBytes);
    } catch (error) {
      failures.push(`a limit is not watched: ${error}`);
      return null;
    }
  };
  const since = { folders, ms: Date.now() - KERNEL_CLOCK_MS };
  const memory = await started(limits.memoryBytes, createMemoryWatch);
  const disk = await started(limits.diskBytes, (bytes) => createDiskWatch(since, bytes));
  let looking: Promise<void> = Promise.resolve();

  return {
    watch(run) {
      const excess = Promise.withResolvers<Excess>();
      if (memory === null && disk === null) return excess.promise;
      looking = lookAgainAndAgain(() => look(run, privateTmp, memory, disk), stopping.signal).then(
        (found) => {
          if (found !== null) excess.resolve(found);
        },
        // Without its watchdog a run goes on, and its record says so.
        (error: unknown) => void failures.push(`limits of memory and disk were not watched to the end: ${error}`),
      );
      return excess.promise;
    },
    async stop() {
      stopping.abort();
      await looking;
    },
    seen: () => ({
      peakMemoryBytes: memory?.peakBytes ?? null,
      notes: [...(memory?.notes ?? []), ...failures],
    }),
  };
}

async function lookAgainAndAgain(look: () => Promise<Excess | null>, signal: AbortSignal): Promise<Excess | null> {
  let pauseMs = FIRST_MS;
  let costMs = 0;
  while (await pause(Math.max(pauseMs, Math.min(LONGEST_MS, costMs / SHARE)), signal)) {
    const before = performance.now();
    const excess = await look();
    if (excess !== null) return excess;
    costMs = performance.now() - before;
    pauseMs = Math.min(PERIOD_MS, pauseMs * 2);
  }
  return null;
}

async function look(
  { leader, mark }: Run,
  privateTmp: boolean,
  memory: MemoryWatch | null,
  disk: DiskWatch | null,
): Promise<Excess | null> {
  const pids = membersOf(leader, mark);
  // The leader stands outside of the fence, its child within.
  const inside = pids.find((pid) => pid !== leader);
  const tooMuch = (await memory?.look(pids, privateTmp ? (inside ?? null) : null)) ?? null;
  if (tooMuch !== null) return { limit: 'memory', message: tooMuch };
  const trouble = (await disk?.look(pids)) ?? null;
  return trouble && { limit: trouble.kind === 'limit' ? 'disk' : 'full', message: trouble.message };
}

/** Whether to go on after the pause. */
async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    // Only the signal ends it early.
    return false;
  }
}
