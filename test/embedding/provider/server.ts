import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface EmbeddingRequest {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
  readonly encoding_format?: string;
}

/** Answers one request; the index counts the requests from 0. */
export type Script = (request: EmbeddingRequest, response: ServerResponse, index: number) => void;

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly requests: EmbeddingRequest[];
  close(): Promise<void>;
}

/** An embedding server on loopback that does what `script` says. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: EmbeddingRequest[] = [];
  const server = createServer(async (request, response) => {
    const parsed: EmbeddingRequest = JSON.parse(await bodyOf(request));
    requests.push(parsed);
    script(parsed, response, requests.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** A proper answer: `vectorOf` each input, in the encoding that was asked for. */
export function sendVectors(
  request: EmbeddingRequest,
  response: ServerResponse,
  vectorOf: (text: string) => readonly number[],
  encoding = request.encoding_format,
): void {
  const data = request.input.map((text, index) => {
    const vector = vectorOf(text);
    const embedding = encoding === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector;
    return { object: 'embedding', index, embedding };
  });
  // In reverse, because only `index` says which is which.
  sendJson(response, 200, { object: 'list', model: request.model, data: data.reverse() });
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}
