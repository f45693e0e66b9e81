import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { failureAnswer } from './answer.ts';
import type { Gateway } from './gateway.ts';

/** A gateway that processes can reach, sandboxed ones too. */
export interface GatewayServer {
  /** Absolute path of the Unix socket; to be bound into a sandbox. */
  readonly socket: string;
  close(): Promise<void>;
}

/** Requests with whole repositories in them happen; more than this is a mistake. */
const MAX_REQUEST_BYTES = 64 * 2 ** 20;

/**
 * Serves a gateway on a Unix socket in a folder that only this user can enter. No TCP port: a socket can be bound into a
 * sandbox without network, and nobody else on the machine can connect to it.
 */
export async function serveGateway(gateway: Gateway): Promise<GatewayServer> {
  // In the folder for temporary files, because the path of a socket may have 107 bytes and a workspace's may be longer.
  const folder = await mkdtemp(join(tmpdir(), 'clade-gateway-'));
  const socket = join(folder, 'model.sock');
  const server = createServer((request, response) => {
    void handle(gateway, request, response);
  });
  server.requestTimeout = 0; // the deadline of the proposal is the one that counts
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socket, resolve);
  });
  return {
    socket,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function handle(gateway: Gateway, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const body = await read(request);
    const inbound = { method: request.method ?? 'GET', target: request.url ?? '/', headers: headersOf(request) };
    const answer =
      body === null
        ? failureAnswer(413, `a request may have ${MAX_REQUEST_BYTES} bytes`)
        : await gateway.call({ ...inbound, body }, gone.signal);
    response.writeHead(answer.status, [...answer.headers].flat());
    response.flushHeaders();
    for await (const piece of answer.body) {
      if (!response.write(piece)) await drained(response, gone.signal);
    }
    response.end();
  } catch {
    // The answer broke off, which is recorded with its call; a connection that breaks tells the caller so.
    response.destroy();
  }
}

/** The whole body; null when it is too large. */
async function read(request: IncomingMessage): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.byteLength;
    if (bytes > MAX_REQUEST_BYTES) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(request.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  return headers;
}

async function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  response.once('drain', resolve);
  gone.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  gone.throwIfAborted();
}
