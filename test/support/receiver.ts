import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What somebody who is told got, in the order in which it came. */
export interface Got {
  readonly event: number | null;
  readonly kind: string;
  readonly text: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What it does with the message that comes as this one, from 1 on: a status, a redirect, or never an answer. */
export type Script = (nth: number, got: Got) => number | { readonly redirect: string } | 'hangs' | Promise<number>;

export interface Inbox {
  readonly url: string;
  /** Every message, taken or not. */
  readonly all: Got[];
  /** Those that were answered by 200. */
  readonly taken: Got[];
  readonly headers: IncomingHttpHeaders[];
}

/** Somebody on loopback who is told what happens. */
export async function inbox(script: Script = () => 200): Promise<Inbox> {
  const [all, taken, headers]: [Got[], Got[], IncomingHttpHeaders[]] = [[], [], []];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += piece;
    const got = JSON.parse(text) as Got;
    all.push(got);
    headers.push(request.headers);
    const answer = await script(all.length, got);
    if (answer === 'hangs') return;
    const status = typeof answer === 'number' ? answer : 302;
    if (status === 200) taken.push(got);
    response.writeHead(status, typeof answer === 'number' ? {} : { location: answer.redirect }).end('so it is');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, all, taken, headers };
}
