import { setTimeout as wait } from 'node:timers/promises';
import type { Patience } from './upstream.ts';

/**
 * The pieces of an answer as they come.
 * @throws when none comes for `silenceMs`, when they come to more than `answerBytes`, and when the signal is aborted. Not the signal's own reason: clients take an AbortError for
 * their own doing, and for the end of the answer.
 */
export async function* listen(
  response: Response,
  { silenceMs, answerBytes }: Pick<Patience, 'silenceMs' | 'answerBytes'>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  let bytes = 0;
  try {
    for (;;) {
      const over = new AbortController();
      const patience = wait(silenceMs, 'silence', { signal: AbortSignal.any([signal, over.signal]) });
      // Its end by either signal is looked at below.
      const read = reader.read().catch((cause) => {
        if (!signal.aborted) throw cause;
        return 'stopped' as const;
      });
      const next = await Promise.race([read, patience.catch(() => 'stopped' as const)]).finally(() => over.abort());
      if (signal.aborted) throw new Error('the answer was cut off: the time is up, or the work was stopped');
      if (typeof next === 'string') throw new Error(`nothing came for ${silenceMs} ms`);
      if (next.done) return;
      bytes += next.value.byteLength;
      if (bytes > answerBytes) throw new Error(`the answer has more than ${answerBytes} bytes`);
      yield next.value;
    }
  } finally {
    // What is left of an answer that nobody wants would cost a connection; a broken one has nothing left.
    await reader.cancel().catch(() => undefined);
  }
}
