import { describe, expect, it } from 'vitest';
import {
  cacheKey,
  chunk,
  type EmbeddingDeps,
  type EmbeddingProvider,
  type EmbeddingReport,
  fileVectors,
  localProvider,
  memoryCache,
  readEligibility,
} from '../../../src/embedding/index.ts';
import { memorySource } from '../memory-source.ts';

const local = localProvider(32);
const dot = (a: Float32Array, b: Float32Array) => a.reduce((total, value, index) => total + value * (b[index] ?? 0), 0);

function setup(files: Record<string, string>, provider: EmbeddingProvider = local) {
  const source = memorySource();
  source.commit('c', files);
  const reports: EmbeddingReport[] = [];
  const deps: EmbeddingDeps = {
    provider,
    cache: memoryCache(),
    source,
    eligibility: readEligibility([]),
    signal: new AbortController().signal,
    report: (report) => reports.push(report),
  };
  return { deps, source, reports, blobs: source.entries('c').map(({ blob }) => blob) };
}

describe('file vectors', () => {
  it('are the means of their chunks by line count', async () => {
    const text = Array.from({ length: 100 }, (_, index) => (index < 60 ? `a(${index});` : `class X${index} {}`)).join(
      '\n',
    );
    const { deps, blobs } = setup({ 'a.c': text });
    const { chunks } = chunk(text);
    expect(chunks.length).toBe(2);
    const parts = await local.embed(
      chunks.map((part) => part.text),
      deps.signal,
    );
    const lines = chunks.reduce((total, part) => total + part.lines, 0);
    const [vector] = (await fileVectors(deps, blobs)).values();
    for (const [index, value] of (vector ?? []).entries()) {
      const mean = parts.reduce(
        (total, part, at) => total + ((part[index] ?? 0) * (chunks[at]?.lines ?? 0)) / lines,
        0,
      );
      expect(value).toBeCloseTo(mean, 6);
      expect(Number.isInteger(value * 2 ** 24)).toBe(true);
    }
  });

  it('report a dropped tail', async () => {
    const { deps, blobs, reports } = setup({ 'a.c': 'x();\n'.repeat(6000) });
    await fileVectors(deps, blobs);
    expect(reports).toEqual([{ kind: 'tail-dropped', blob: blobs[0], lines: 6000 - (64 * 72 + 8) }]);
  });

  it('embed many blobs in groups, each once, and leave out what is no text', async () => {
    const files = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`f${index}.c`, `f${index}();`]));
    let calls = 0;
    const counting: EmbeddingProvider = {
      ...local,
      embed(texts, signal) {
        calls += 1;
        return local.embed(texts, signal);
      },
    };
    const { deps, blobs } = setup({ ...files, 'nul.c': '\0' }, counting);
    const vectors = await fileVectors(deps, [...blobs, ...blobs]);
    expect(vectors.size).toBe(150);
    expect(calls).toBe(3);
    const all = [...vectors.values()];
    expect(dot(all[3] ?? new Float32Array(), all[3] ?? new Float32Array())).toBeCloseTo(1, 5);
    expect(await fileVectors(deps, blobs)).toEqual(vectors);
    expect(calls).toBe(3);
  });

  it('are those of the cache, also when another worker was first', async () => {
    const { deps, blobs } = setup({ 'a.c': 'a();' });
    const theirs = new Float32Array(32).fill(0.125);
    const racing: EmbeddingProvider = {
      ...local,
      async embed(texts, signal) {
        await deps.cache.put(new Map(blobs.map((blob) => [cacheKey(local, blob), theirs])));
        return local.embed(texts, signal);
      },
    };
    expect([...(await fileVectors({ ...deps, provider: racing }, blobs)).values()]).toEqual([theirs]);
  });

  it('fail when the repository does not give a blob', async () => {
    const { deps } = setup({});
    await expect(fileVectors(deps, ['0000'])).rejects.toMatchObject({ code: 'infrastructure' });
  });
});
