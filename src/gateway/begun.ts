/**
 * The pieces of a generator that is started at once, so that what it does at its end is done in every case: also when the signal is aborted
 * before anybody asks for a piece.
 */
export function begun<T>(pieces: AsyncGenerator<T>, signal: AbortSignal): AsyncIterable<T> {
  const first = pieces.next();
  // Whoever takes the first piece gets the error; without a taker there is nobody to tell.
  first.catch(() => undefined);
  const end = (): void => void pieces.return(undefined).catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  return (async function* () {
    // From here on whoever takes the pieces ends them.
    signal.removeEventListener('abort', end);
    try {
      const { value, done } = await first;
      if (done === true) return;
      yield value;
      yield* pieces;
    } finally {
      await pieces.return(undefined);
    }
  })();
}
