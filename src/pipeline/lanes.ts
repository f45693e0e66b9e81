/** Numbers lanes 0 … n-1 and hands each to one job at a time; the lowest free one first, so that few folders are used. */
export interface Lanes {
  /** Runs `work` with a lane that nobody else has; waits while all are taken, in order of asking. */
  use<T>(work: (lane: number) => Promise<T>): Promise<T>;
}

export function createLanes(count: number): Lanes {
  const free = Array.from({ length: count }, (_, lane) => lane);
  const waiting: ((lane: number) => void)[] = [];

  const acquire = (): Promise<number> => {
    const lane = free.shift();
    return lane === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(lane);
  };
  const release = (lane: number): void => {
    const next = waiting.shift();
    if (next !== undefined) next(lane);
    else {
      free.push(lane);
      free.sort((a, b) => a - b);
    }
  };

  return {
    async use(work) {
      const lane = await acquire();
      try {
        return await work(lane);
      } finally {
        release(lane);
      }
    },
  };
}
