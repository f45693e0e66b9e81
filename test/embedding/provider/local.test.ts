import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFloat32, localProvider } from '../../../src/embedding/index.ts';
import { SAMPLES } from './samples.ts';

const signal = new AbortController().signal;
const provider = localProvider(512);

async function embed(text: string): Promise<Float32Array> {
  const [vector] = await provider.embed([text], signal);
  if (vector === undefined) throw new Error('no vector');
  return vector;
}

async function similarity(a: string, b: string): Promise<number> {
  const [left, right] = [await embed(a), await embed(b)];
  return left.reduce((total, value, index) => total + value * (right[index] ?? 0), 0);
}

describe('the local provider', () => {
  it('puts a renamed copy far before a rewrite, and that before other algorithms and other programs', async () => {
    const renamed = await similarity(SAMPLES.bubble, SAMPLES.renamed);
    const rewritten = await similarity(SAMPLES.bubble, SAMPLES.rewritten);
    const quicksort = await similarity(SAMPLES.bubble, SAMPLES.quicksort);
    const server = await similarity(SAMPLES.bubble, SAMPLES.server);
    expect(renamed).toBeGreaterThan(rewritten + 0.2);
    expect(rewritten).toBeGreaterThan(quicksort + 0.1);
    expect(quicksort).toBeGreaterThan(server);
  });

  it.each([
    ['a constant', 'x = a + 10;', 'x = a + 11;'],
    ['an operator', 'if (i < n) go();', 'if (i > n) go();'],
    ['two exchanged names', 'r = low - high;', 'r = high - low;'],
    ['two exchanged constants', 'f(1, 2, x);', 'f(2, 1, x);'],
    ['the order of statements', 'a = 1;\nb();\n', 'b();\na = 1;\n'],
    ['the case of a name', 'Parse(x)', 'parse(x)'],
    ['a letter beyond ASCII', 'größe = 1', 'grösse = 1'],
  ])('notices a change of %s', async (_, before, after) => {
    expect(await similarity(`${SAMPLES.bubble}\n${before}`, `${SAMPLES.bubble}\n${after}`)).toBeLessThan(1 - 1e-6);
  });

  it('does not see white space', async () => {
    expect(await embed('a = b ;\n\n  c ( )')).toEqual(await embed('a=b;c()'));
  });

  it('splits names into the same words in every style', async () => {
    const words = 'parse http request';
    for (const name of ['parseHTTPRequest', 'parse_http_request', 'PARSE_HTTP_REQUEST', 'ParseHttpRequest']) {
      expect(await similarity(words, name), name).toBeGreaterThan(await similarity(words, 'writeTcpResponse'));
    }
  });

  it('gives unit vectors that depend on nothing but the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { maxLength: 5 }), async (texts) => {
        const together = await provider.embed(texts, signal);
        for (const [index, text] of texts.entries()) {
          const [alone] = await localProvider(512).embed([text], signal);
          expect(together[index]).toEqual(alone);
          const length = Math.hypot(...(alone ?? []));
          expect(length === 0 || Math.abs(length - 1) < 1e-5).toBe(true);
        }
      }),
    );
  });

  it('gives the vectors that caches hold already: who changes them changes the name of the model', async () => {
    const digest = createHash('sha256').update(encodeFloat32(await embed(Object.values(SAMPLES).join('\n'))));
    expect(`${provider.id} ${digest.digest('hex').slice(0, 16)}`).toBe('local:hash-1:512 e76f3ca0e6863ed1');
  });

  it('takes texts larger than its first buffers', async () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `name${index * 7919}`);
    const vector = await embed(names.join(' '));
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(await embed(names.join(' '))).toEqual(vector);
  });

  it('has the dimensions that it was asked for, in its id too', async () => {
    const small = localProvider(100);
    expect((await small.embed(['a b c'], signal))[0]).toHaveLength(100);
    expect(small.id).toBe('local:hash-1:100');
  });

  it('stops when it is told to', async () => {
    await expect(provider.embed(['a'], AbortSignal.abort())).rejects.toMatchObject({ code: 'interrupted' });
  });
});
