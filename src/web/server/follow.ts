import type { EventView } from '../../daemon/index.ts';
import { CladeError, InfrastructureError } from '../../errors.ts';
import type { Address } from './address.ts';
import { problemOf } from './client.ts';

/** A stream says at least every 15 s that it is there; one that was silent for so long is dead. */
const SILENCE_MS = 45_000;

/** Which events, and until when. */
export interface Following {
  readonly name: string;
  /** The id of the last event seen. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/**
 * The events of a campaign as they happen, told by the process that serves the workspace. Ends when that does, or with `signal`.
 * @throws InfrastructureError when the connection breaks; NotFoundError's code when there is no such campaign.
 */
export async function* followEvents({ url }: Address, { name, after, signal }: Following): AsyncGenerator<EventView> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    const path = `/api/campaigns/${encodeURIComponent(name)}/events/stream?after=${after}`;
    const response = await fetch(`${url}${path}`, { signal: AbortSignal.any([signal, silence.signal]) });
    if (!response.ok) throw await problemOf(response);
    let rest = '';
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const messages = (rest + text).split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) yield* eventOf(message);
    }
  } catch (cause) {
    if (signal.aborted) return;
    if (cause instanceof CladeError) throw cause;
    throw new InfrastructureError(`the process at ${url} tells no more`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** None of a comment. */
function* eventOf(message: string): Generator<EventView> {
  for (const line of message.split('\n')) if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as EventView;
}
