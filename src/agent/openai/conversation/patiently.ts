import { APIError } from 'openai';

/** An answer that breaks off is asked for again so many times; what the gateway itself refuses is not. */
const ATTEMPTS = 3;

/** No answer came that could be used; `cause` says why. */
export class NoAnswerError extends Error {}

/** @throws NoAnswerError after the last attempt */
export async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const refused = error instanceof APIError && error.status !== undefined;
      if (refused || made === ATTEMPTS) {
        throw new NoAnswerError(error instanceof Error ? error.message : String(error), { cause: error });
      }
    }
  }
}
