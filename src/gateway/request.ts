/** A call as it comes from an agent. */
export interface Inbound {
  readonly method: string;
  /** `/SECRET/PROVIDER/PATH?QUERY`. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
}

export interface Address {
  readonly secret: string;
  readonly provider: string;
  /** Relative to the provider's base, with a slash first. */
  readonly path: string;
  /** With its question mark, without any key; empty when there is none. */
  readonly query: string;
}

/** Null when it does not name a ticket and a provider. */
export function parseTarget(target: string): Address | null {
  const url = new URL(target, 'http://gateway');
  const [, secret, provider, ...rest] = url.pathname.split('/');
  if (secret === undefined || provider === undefined || rest.length === 0) return null;
  url.searchParams.delete('key'); // Gemini's clients may put theirs there
  return { secret, provider, path: `/${rest.join('/')}`, query: url.search };
}

/** What belongs to one connection (RFC 9110, §7.6.1) or is ours to say. */
const NOT_FORWARDED = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'expect', 'host', 'content-length', 'accept-encoding', 'content-encoding'],
]);
/** What an agent says of keys is a dummy; what it knows of cookies is not wanted. */
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key', 'cookie', 'set-cookie']);

/** The headers of a request or an answer that are handed on. */
export function forwarded(headers: Headers): Headers {
  const kept = new Headers();
  for (const [name, value] of headers) {
    if (!NOT_FORWARDED.has(name) && !CREDENTIALS.has(name)) kept.append(name, value);
  }
  return kept;
}
