import { APIError } from 'openai';

/** An answer that breaks off is asked for again so many times; what the gateway itself refuses is not. */
const ATTEMPTS = 3;

/** No answer came that could be used; `cause` says why. */
export class NoAnswerError extends Error {
  /** Whether the server said no to this request, which may be the fault of the conversation; else its answers were broken. */
  readonly refused: boolean;

  constructor(message: string, refused: boolean, cause?: unknown) {
    super(message, { cause });
    this.refused = refused;
  }
}

/** What servers say inside of a stream of a request that is wrong itself. */
const WRONG = new Set(['invalid_request_error', 'invalid_prompt', 'context_length_exceeded', 'content_filter']);

/** @throws NoAnswerError after the last attempt */
export async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let made = 1; ; made += 1) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const refused =
        error instanceof APIError &&
        (error.status !== undefined || WRONG.has(String(error.code)) || WRONG.has(String(error.type)));
      if (refused || made === ATTEMPTS) {
        throw new NoAnswerError(error instanceof Error ? error.message : String(error), refused, error);
      }
    }
  }
}
