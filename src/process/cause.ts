/** The largest delay that a timer takes; a longer one would fire at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** What ends a run first: the child by itself, the clock, the caller, or a limit that it exceeded. */
export async function firstCause<Excess>(
  exited: Promise<unknown>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  exceeded: Promise<Excess>,
): Promise<'exited' | 'timeout' | 'cancelled' | Excess> {
  const listening = new AbortController();
  const cancelled = new Promise<'cancelled'>((resolve) => {
    if (signal?.aborted) resolve('cancelled');
    signal?.addEventListener('abort', () => resolve('cancelled'), { signal: listening.signal });
  });
  const own = waitAtMost(exited, timeoutMs).then((came) => (came ? 'exited' : 'timeout'));
  const cause = await Promise.race([own, cancelled, exceeded]);
  listening.abort();
  return cause;
}

/** Waits for `done`, but not longer than `ms`; says whether it came. */
export function waitAtMost(done: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), Math.min(ms, MAX_DELAY_MS));
    done.then(() => resolve(true), reject).finally(() => clearTimeout(timer));
  });
}
