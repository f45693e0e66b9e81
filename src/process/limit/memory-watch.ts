import { inMebibytes } from './amount.ts';
import { keptInFiles, machineShared, mappedBy } from './memory.ts';

/** Looks at what a run has in memory, and says when it is too much. */
export interface MemoryWatch {
  /** Null, or the sentence that says what was exceeded. `inside`: a process within the fence, null without one. */
  look(pids: readonly number[], inside: number | null): Promise<string | null>;
  readonly peakBytes: number;
  /** What could not be seen as it should, one sentence each. */
  readonly notes: readonly string[];
}

/** `limitBytes` for the sum over all processes of a run. */
export async function createMemoryWatch(limitBytes: number): Promise<MemoryWatch> {
  let lowestShared = await machineShared();
  let peakBytes = 0;
  let approximate = 0;

  const measure = async (pids: readonly number[], inside: number | null): Promise<number> => {
    const mapped = await mappedBy(pids);
    approximate = Math.max(approximate, mapped.approximate);
    const shared = await machineShared();
    lowestShared = Math.min(lowestShared, shared);
    // Files in memory are in no process's figures. To look for them costs more, and what the whole machine has more of than
    // before is a bound on theirs.
    const bound = mapped.bytes + shared - lowestShared;
    const kept = bound > limitBytes ? await keptInFiles(pids, inside) : 0;
    return mapped.bytes + Math.max(0, kept - mapped.sharedBytes);
  };

  return {
    async look(pids, inside) {
      let bytes = await measure(pids, inside);
      // Processes are read one after the other: one that forks meanwhile is seen with all its pages, and its children with
      // their shares of them. What is too much must be so twice.
      if (bytes > limitBytes) bytes = Math.min(bytes, await measure(pids, inside));
      peakBytes = Math.max(peakBytes, bytes);
      if (bytes <= limitBytes) return null;
      const which = `${inMebibytes(bytes)} in ${pids.length} processes`;
      return `memory limit of ${inMebibytes(limitBytes)} exceeded: ${which}`;
    },
    get peakBytes() {
      return peakBytes;
    },
    get notes() {
      if (approximate === 0) return [];
      return [`of ${approximate} processes only the resident set could be read: their shared memory was counted whole`];
    },
  };
}
