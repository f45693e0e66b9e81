import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type CellResult, checkSizes, type Direction, type Sample, summarise } from '../../evaluators/zstd/cells.ts';
import { edgeCases, KINDS, makeCorpus, random } from '../../evaluators/zstd/corpus/index.ts';
import { damage } from '../../evaluators/zstd/damage.ts';
import { checkMemory } from '../../evaluators/zstd/gates.ts';
import { readItems, writeItems } from '../../evaluators/zstd/items.ts';
import { checkReach } from '../../evaluators/zstd/reach.ts';
import { resultOf } from '../../evaluators/zstd/report.ts';
import { seedOf } from '../../evaluators/zstd/seed.ts';
import { DEFAULTS, settingsOf } from '../../evaluators/zstd/settings.ts';

const BYTES = 2 ** 18;

describe('the corpora of clade-zstd', () => {
  it.each(KINDS)('makes %s from its seed alone, to the byte', (kind) => {
    const [once, again] = [makeCorpus('a seed', kind), makeCorpus('a seed', kind)];
    // Parts do not depend on those made before them.
    once('another part', BYTES);
    const [documents, same] = [once(1, BYTES), again(1, BYTES)];
    expect(Buffer.concat(documents).equals(Buffer.concat(same))).toBe(true);
    expect(documents.map(({ length }) => length)).toEqual(same.map(({ length }) => length));
    expect(Buffer.concat(documents).length).toBe(BYTES);
  });

  it.each(KINDS)('makes other %s of another part and another seed', (kind) => {
    const corpus = makeCorpus('a seed', kind);
    const one = Buffer.concat(corpus(1, BYTES));
    expect(one.equals(Buffer.concat(corpus(2, BYTES)))).toBe(false);
    // What one seed's text teaches is of little use for another's: few of its longer strings are there.
    const other = Buffer.concat(makeCorpus('another seed', kind)(1, BYTES));
    expect(shared(one, other)).toBeLessThan(0.1);
  });

  it('gives other sizes to the documents of other seeds', () => {
    const sizes = Array.from({ length: 8 }, (_, i) => makeCorpus(`seed ${i}`, 'text')(1, 2 ** 22).length);
    expect(new Set(sizes).size).toBeGreaterThan(4);
  });

  it('spans what compresses well and what hardly does', () => {
    const ratio = (kind: (typeof KINDS)[number]): number => {
      const bytes = Buffer.concat(makeCorpus('a seed', kind)(1, BYTES));
      return bytes.length / deflateSync(bytes).length;
    };
    for (const kind of ['text', 'source', 'log'] as const) expect(ratio(kind)).toBeGreaterThan(2.5);
    expect(ratio('records')).toBeGreaterThan(1.2);
    expect(ratio('noise')).toBeLessThan(1.5);
    expect(ratio('noise')).toBeGreaterThan(1);
  });

  it('has nothing, one byte and the sizes around a block among the odd inputs', () => {
    const sizes = edgeCases(random('edges')).map(({ length }) => length);
    expect(sizes).toEqual(expect.arrayContaining([0, 1, 131_071, 131_072, 131_073]));
  });
});

/** The share of the 16-byte strings of `one`, at every 16th place, that are anywhere in `other`. */
function shared(one: Buffer, other: Buffer): number {
  const known = new Set(Array.from({ length: other.length - 16 }, (_, i) => other.toString('latin1', i, i + 16)));
  const strings = Array.from({ length: Math.floor(one.length / 16) }, (_, i) =>
    one.toString('latin1', 16 * i, 16 * i + 16),
  );
  // Zeros are everywhere.
  const telling = strings.filter((text) => new Set(text).size > 6);
  return telling.filter((text) => known.has(text)).length / Math.max(telling.length, 1);
}

describe('the seed of a split', () => {
  it('is the campaign’s for train, and a hidden file’s for the others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zstd-seed-'));
    try {
      const path = join(folder, 'holdout.seed');
      writeFileSync(path, 'a secret of some length\n');
      expect(seedOf({ split: 'train', seed: 7, hidden: [] })).toBe('train 7');
      expect(seedOf({ split: 'holdout', seed: 7, hidden: [path] })).toBe('holdout a secret of some length');
      expect(() => seedOf({ split: 'validation', seed: 7, hidden: [path] })).toThrow('validation.seed');
      writeFileSync(path, 'short');
      expect(() => seedOf({ split: 'holdout', seed: 7, hidden: [path] })).toThrow('at least 16');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const sample = (direction: Direction, level: number, root: number, candidate: number): Sample => ({
  cell: { level, kind: 'text', direction },
  root,
  candidate,
  rootBytes: 1_000,
  candidateBytes: level === 1 ? 1_000 : 1_001,
  bytes: 4_000_000,
});

describe('the statistics of cells', () => {
  const rounds = [1, 1.1, 0.9, 1].map((drift) => [
    sample('compression', 1, 20 * drift, 10 * drift),
    sample('compression', 3, 40 * drift, 40 * drift),
    sample('decompression', 1, 8 * drift, 10 * drift),
    sample('decompression', 3, 8 * drift, 8 * drift),
  ]);
  const summary = summarise(rounds, 1);

  it('takes the geometric mean over the cells of a direction, and the drift of a round out', () => {
    expect(summary.compression.ratio).toBeCloseTo(Math.SQRT2, 12);
    expect(summary.compression.standardError).toBeCloseTo(0, 12);
    expect(summary.decompression.ratio).toBeCloseTo(Math.sqrt(0.8), 12);
  });

  it('names the cell with the smallest speed-up, of either direction', () => {
    expect(summary.worst).toMatchObject({ direction: 'decompression', level: 1 });
    expect(summary.worst.comparison.ratio).toBeCloseTo(0.8, 12);
  });

  it('gives speeds and sizes of all rounds', () => {
    expect(summary.cells[0]?.rootSpeed).toBeCloseTo(200, 6);
    expect(summary.cells.map(({ sizeRatio }) => sizeRatio)).toEqual([1, 1.001, 1, 1.001]);
  });

  it('says what it found as objectives with their bounds, and 1 for the root', () => {
    const findings = {
      summary,
      memory: [{ level: 1, direction: 'compression', root: 100, candidate: 90 }],
      identity: 'sha256:1',
    } as const;
    const result = resultOf({ ...findings, isRoot: false });
    expect(result).toMatchObject({
      status: 'valid',
      metrics: { worst_size_ratio: 1.001, memory_kib: 90, root_memory_kib: 100 },
      evidence: expect.stringContaining('| decompression 1 text | -20.00 %'),
    });
    if (result.status !== 'valid') throw new Error('not valid');
    expect(result.objectives.worst_cell).toBeCloseTo(0.8, 12);
    expect(result.intervals?.compression?.[0]).toBeCloseTo(Math.SQRT2, 9);
    expect(resultOf({ ...findings, isRoot: true })).toMatchObject({
      objectives: { compression: 1, decompression: 1, worst_cell: 1 },
      intervals: { compression: [1, 1] },
    });
  });
});

describe('the gates of clade-zstd', () => {
  const cell = (sizeRatio: number): CellResult => {
    const round = [sample('compression', 1, 1, 1), sample('decompression', 1, 1, 1)];
    const [first] = summarise([round, round], 0).cells;
    if (first === undefined) throw new Error('no cell');
    return { ...first, sizeRatio };
  };

  it('lets a size grow by the declared share and no more, in any one cell', () => {
    expect(() => checkSizes([cell(1.001), cell(0.9)], 0.001)).not.toThrow();
    expect(() => checkSizes([cell(0.9), cell(1.0011)], 0.001)).toThrow('text at level 1 by 0.110 %');
  });

  it('lets memory grow by the declared share, and half a MiB that the kernel does not count exactly', () => {
    const use = { level: 3, direction: 'compression', root: 10_000 } as const;
    expect(() => checkMemory({ ...use, candidate: 11_000 }, 0.05)).not.toThrow();
    expect(() => checkMemory({ ...use, candidate: 11_100 }, 0.05)).toThrow('takes 11100 KiB');
  });

  it('refuses what the root does not reach for', () => {
    const root = { imports: ['malloc', 'memcpy'], callsKernel: false, initBytes: 8 };
    expect(() => checkReach(root, { ...root, imports: ['memcpy'] })).not.toThrow();
    expect(() => checkReach(root, { ...root, imports: ['fopen'] })).toThrow('fopen');
    expect(() => checkReach(root, { ...root, callsKernel: true })).toThrow('kernel');
    expect(() => checkReach(root, { ...root, initBytes: 16 })).toThrow('loaded');
  });

  it('damages every small frame in the same ways each time', () => {
    const frames = [
      { bytes: Buffer.alloc(500, 7), originalSize: 900 },
      { bytes: Buffer.alloc(70_000), originalSize: 1 },
    ];
    const [once, again] = [damage(frames, random('x')), damage(frames, random('x'))];
    expect(once).toHaveLength(8);
    expect(once).toEqual(again);
    expect(once.every(({ bytes }) => !bytes?.equals(Buffer.alloc(500, 7)))).toBe(true);
  });
});

describe('files of items', () => {
  it('come back as they were, and a file that was cut does not', () => {
    const folder = mkdtempSync(join(tmpdir(), 'zstd-items-'));
    try {
      const path = join(folder, 'items');
      const items = [1, 0, 70_000].map((size) => ({ bytes: Buffer.alloc(size, size), originalSize: 2 * size }));
      writeItems(path, items);
      expect(readItems(path)).toEqual(items);
      writeFileSync(path, Buffer.concat([Buffer.from([1, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0]), Buffer.alloc(5)]));
      expect(() => readItems(path)).toThrow(RangeError);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the options of clade-zstd', () => {
  it('are the defaults where nothing is said', () => {
    expect(settingsOf({})).toEqual(DEFAULTS);
    expect(settingsOf({ levels: [9], compiler: 'gcc' })).toEqual({ ...DEFAULTS, levels: [9], compiler: 'gcc' });
  });

  it.each([
    [{ level: [1] }, 'no option level'],
    [{ levels: ['1'] }, 'levels'],
    [{ levels: [] }, 'levels'],
    [{ rounds: '12' }, 'rounds'],
    [{ rounds: 7 }, 'at least 8'],
    [{ flags: '-O3' }, 'flags'],
    [null, 'object'],
  ])('are refused: %j', (written, message) => {
    expect(() => settingsOf(written)).toThrow(message);
  });
});
