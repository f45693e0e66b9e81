import { forwarded } from './request.ts';

/** What the caller of the gateway gets. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array>;
}

/** A whole answer. */
export function answerWith(status: number, headers: Headers, body: Uint8Array): Answer {
  return {
    status,
    headers: forwarded(headers),
    body: (async function* () {
      yield body;
    })(),
  };
}

/**
 * What the gateway itself has to say, in the form of an OpenAI error. With a status of 4xx: agents try again on 5xx, some of
 * them for ever, and the gateway has done that already.
 */
export function failureAnswer(status: number, message: string): Answer {
  const body = JSON.stringify({
    error: { message: `clade: ${message}`, type: 'clade_gateway', code: 'clade_gateway' },
  });
  return answerWith(status, new Headers({ 'content-type': 'application/json' }), Buffer.from(body));
}
