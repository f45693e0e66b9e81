import type { Gateway } from './gateway.ts';
import type { Ticket } from './ticket.ts';

/** What a client in this process is given in the place of a base URL; nobody listens there. */
const ORIGIN = 'http://gateway.invalid';

/** The base URL and the `fetch` with which a client in this process, such as the `openai` package, calls a provider. */
export function clientOf(gateway: Gateway, ticket: Ticket, provider: string): { baseURL: string; fetch: typeof fetch } {
  return {
    baseURL: `${ORIGIN}/${ticket.secret}/${provider}`,
    async fetch(input, init) {
      const request = new Request(input, init);
      const url = new URL(request.url);
      const answer = await gateway.call(
        {
          method: request.method,
          target: `${url.pathname}${url.search}`,
          headers: request.headers,
          body: new Uint8Array(await request.arrayBuffer()),
        },
        request.signal,
      );
      return new Response(ReadableStream.from(answer.body), { status: answer.status, headers: answer.headers });
    },
  };
}
