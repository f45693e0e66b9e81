import { formatDuration, parseDuration } from './duration.ts';
import type { WrittenCampaign } from './schema/campaign.ts';

/** What somebody may be told of. */
export type Occasion = 'best' | 'paused' | 'finished' | 'fault';

/** Somebody who is told what happens. */
export type Receiver = {
  readonly on: readonly Occasion[];
  /** Of one delivery. */
  readonly timeoutMs: number;
} & (UrlReceiver | CommandReceiver);

export interface UrlReceiver {
  readonly kind: 'url';
  /** As written, or the name of the environment variable that holds it and is never stored. */
  readonly place: { readonly url: string } | { readonly urlEnv: string };
  /** By header, names of environment variables. */
  readonly headersEnv: Readonly<Record<string, string>>;
}

export interface CommandReceiver {
  readonly kind: 'command';
  /** Executable and arguments; `./x` is a file of the campaign folder. */
  readonly command: readonly string[];
  /** Names of environment variables passed through. */
  readonly env: readonly string[];
}

type Written = WrittenCampaign['notify'];

export function normaliseNotify(written: Written): Receiver[] {
  return written.map(({ on, url, url_env: urlEnv, headers_env: headersEnv, command, env, timeout }) => {
    const shared = { on, timeoutMs: parseDuration(timeout) };
    if (command !== undefined) return { ...shared, kind: 'command', command, env };
    return { ...shared, kind: 'url', place: urlEnv === undefined ? { url: url ?? '' } : { urlEnv }, headersEnv };
  });
}

export function writtenNotify(receivers: readonly Receiver[]): Written {
  return receivers.map((receiver) => {
    const shared = { on: [...receiver.on], timeout: formatDuration(receiver.timeoutMs) };
    if (receiver.kind === 'command') {
      return { ...shared, command: [...receiver.command], env: [...receiver.env], headers_env: {} };
    }
    const { place, headersEnv } = receiver;
    const where = 'url' in place ? { url: place.url } : { url_env: place.urlEnv };
    return { ...shared, ...where, headers_env: { ...headersEnv }, env: [] };
  });
}

/** Tells receivers apart, and is the same while what they are told of, and how, changes. */
export function receiverKey(receiver: Receiver): string {
  if (receiver.kind === 'command') return JSON.stringify(receiver.command);
  return 'url' in receiver.place ? receiver.place.url : `$${receiver.place.urlEnv}`;
}
