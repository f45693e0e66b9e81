import { afterEach, describe, expect, it } from 'vitest';
import {
  createProvider,
  type EmbeddingAccess,
  type OpenAiProviderOptions,
  openAiProvider,
  requireEmbeddingKey,
} from '../../../src/embedding/index.ts';
import { type Script, type ScriptedServer, scriptedServer, sendJson, sendVectors } from './server.ts';

const signal = new AbortController().signal;
let server: ScriptedServer | undefined;

const accessTo = (baseURL: string): EmbeddingAccess => ({ baseURL, fetch, refuse() {} });

async function providerFor(script: Script, options: Partial<OpenAiProviderOptions> = {}) {
  server = await scriptedServer(script);
  const { baseUrl } = server;
  const retry = { attempts: 3, backoffMs: 5, attemptTimeoutMs: 300, deadlineMs: 5_000 };
  return openAiProvider({ model: 'm', dimensions: 2, access: accessTo(baseUrl), retry, ...options });
}

afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Points along the first or the second axis by the text's first letter, not of unit length. */
const axis = (text: string) => (text.startsWith('a') ? [3, 0] : [0, 3]);

const infrastructure = { code: 'infrastructure' };

describe('the OpenAI-compatible provider', () => {
  it.each(['base64', 'float'])('takes %s vectors, by index, and scales them to unit length', async (encoding) => {
    const provider = await providerFor((request, response) => sendVectors(request, response, axis, encoding));
    const vectors = await provider.embed(['a', 'b', 'a2'], signal);
    expect(vectors).toEqual([Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(1, 0)]);
    expect(server?.requests[0]).toMatchObject({ model: 'm', dimensions: 2, input: ['a', 'b', 'a2'] });
    expect(provider.id).toBe('openai:m:2');
  });

  it('keeps requests within the limits, and averages the pieces of a long text', async () => {
    const limits = { pieceBytes: 10, batchPieces: 3, batchBytes: 25 };
    const provider = await providerFor((request, response) => sendVectors(request, response, axis), { limits });
    const vectors = await provider.embed(['a123456789b', 'b', ' \n', 'a', 'öööööb'], signal);
    const inputs = server?.requests.map(({ input }) => input) ?? [];
    expect(inputs.flat()).toEqual(['a123456789', 'b', 'b', 'a', 'ööööö', 'b']);
    for (const input of inputs) {
      expect(input.length).toBeLessThanOrEqual(3);
      expect(Buffer.byteLength(input.join(''))).toBeLessThanOrEqual(25);
    }
    expect(vectors[0]?.[0]).toBeCloseTo(10 / Math.hypot(10, 1), 5);
    expect(vectors[2]).toEqual(Float32Array.of(0, 0));
  });

  it.each([429, 500, 503])('tries again after %d', async (status) => {
    const provider = await providerFor((request, response, index) => {
      if (index < 2) sendJson(response, status, { error: { message: 'not now' } });
      else sendVectors(request, response, axis);
    });
    expect(await provider.embed(['a'], signal)).toHaveLength(1);
    expect(server?.requests).toHaveLength(3);
  });

  it('gives up after its attempts, and says why', async () => {
    const provider = await providerFor((_, response) => sendJson(response, 500, { error: { message: 'on fire' } }));
    await expect(provider.embed(['a'], signal)).rejects.toMatchObject({
      ...infrastructure,
      message: expect.stringMatching(/after 3 attempts.*on fire/),
    });
    expect(server?.requests).toHaveLength(3);
  });

  it('waits as long as Retry-After says, and not at all when that is beyond its deadline', async () => {
    const asked: number[] = [];
    const provider = await providerFor((request, response, index) => {
      asked.push(performance.now());
      if (index === 0) sendJson(response, 429, { error: { message: 'wait' } }, { 'retry-after': '0.2' });
      else if (index === 1) sendVectors(request, response, axis);
      else sendJson(response, 429, { error: { message: 'wait' } }, { 'retry-after': '3600' });
    });
    await provider.embed(['a'], signal);
    // A lower bound: the wait was asked for by the server and is no speed of ours.
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(190);
    await expect(provider.embed(['a'], signal)).rejects.toMatchObject(infrastructure);
    expect(server?.requests).toHaveLength(3);
  });

  it.each([
    [401, { message: 'bad key' }],
    [404, { message: 'no such model' }],
    [429, { message: 'pay', code: 'insufficient_quota' }],
  ])('does not try again after %d %o', async (status, error) => {
    const provider = await providerFor((_, response) => sendJson(response, status, { error }));
    await expect(provider.embed(['a'], signal)).rejects.toMatchObject(infrastructure);
    expect(server?.requests).toHaveLength(1);
  });

  it.each<[string, Script]>([
    ['vectors of another length', (request, response) => sendVectors(request, response, () => [1, 2, 3])],
    ['too few vectors', (_, response) => sendJson(response, 200, { data: [] })],
    ['no data', (_, response) => sendJson(response, 200, { object: 'list' })],
    ['null for a number', (_, response) => sendJson(response, 200, { data: [{ index: 0, embedding: [1, null] }] })],
    ['broken base64', (_, response) => sendJson(response, 200, { data: [{ index: 0, embedding: 'AAA' }] })],
    ['infinity', (request, response) => sendVectors(request, response, () => [Infinity, 0], 'base64')],
    ['an index out of range', (_, response) => sendJson(response, 200, { data: [{ index: 7, embedding: [1, 0] }] })],
    ['no JSON', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    [
      'a body that breaks off',
      (_, response) => response.writeHead(200, { 'content-length': 99 }).end('{"data":', () => response.destroy()),
    ],
    ['a cut connection', (_, response) => response.destroy()],
  ])('refuses %s', async (_, script) => {
    const provider = await providerFor(script);
    await expect(provider.embed(['a'], signal)).rejects.toMatchObject(infrastructure);
  });

  it.each<[string, Script]>([
    ['never answers', () => {}],
    [
      'sends headers and no body',
      (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders(),
    ],
  ])('ends the wait for a server that %s', async (_, script) => {
    const retry = { attempts: 2, backoffMs: 1, attemptTimeoutMs: 50, deadlineMs: 5_000 };
    const provider = await providerFor(script, { retry });
    await expect(provider.embed(['a'], signal)).rejects.toMatchObject(infrastructure);
    expect(server?.requests).toHaveLength(2);
  });

  it('stops at once when it is told to, in a request and in a wait', async () => {
    const hangs: Script = () => {};
    const refuses: Script = (_, response) => sendJson(response, 429, {}, { 'retry-after': '4' });
    for (const script of [hangs, refuses]) {
      const stop = new AbortController();
      const provider = await providerFor((...args) => {
        script(...args);
        setTimeout(() => stop.abort(), 30);
      });
      await expect(provider.embed(['a'], stop.signal)).rejects.toMatchObject({ code: 'interrupted' });
      await server?.close();
    }
  });

  it('does without the parameter when the model has one fixed size', async () => {
    const provider = await providerFor((request, response) => {
      if (request.dimensions === undefined) sendVectors(request, response, axis);
      else sendJson(response, 400, { error: { message: 'dimensions not supported' } });
    });
    await provider.embed(['a'], signal);
    await provider.embed(['b'], signal);
    expect(server?.requests.map(({ dimensions }) => dimensions)).toEqual([2, undefined, undefined]);
  });
});

describe('createProvider', () => {
  const config = { kind: 'openai', model: 'm', dimensions: 2, baseUrl: null, apiKeyEnv: 'MY_KEY' } as const;

  it('is by kind, and a missing key is refused by its name', () => {
    expect(createProvider(config, accessTo('http://127.0.0.1:1/v1')).id).toBe('openai:m:2');
    expect(createProvider({ kind: 'local', dimensions: 8 }, null).dimensions).toBe(8);
    requireEmbeddingKey(config, { MY_KEY: 'k' });
    expect(() => requireEmbeddingKey(config, {})).toThrow(/MY_KEY/);
    // A server on one's own machine takes none.
    requireEmbeddingKey({ ...config, baseUrl: 'http://127.0.0.1:1/v1' }, {});
  });
});
