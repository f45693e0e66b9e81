import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { FileSource, SourceEntry, VectorCache } from '../../src/embedding/index.ts';
import {
  createDescriptor,
  type EmbeddingDeps,
  embedRoot,
  localProvider,
  readEligibility,
  updateVector,
} from '../../src/embedding/index.ts';
import type { Benchmark, Report } from './benchmark.ts';
import { fileCache } from './embedding/file-cache.ts';
import { inTemporaryFolder } from './folder.ts';

const FILES = 100_000;
const FILE_BYTES = 2048;
const CHANGED = 3;
const DIMENSIONS = 512;

/** The first embedding of a very large repository, and the descriptor of a small commit on top of it. */
export const embedding: Benchmark = {
  name: 'embedding',
  about: `${FILES} files of ${FILE_BYTES} bytes with the local provider, then a commit that changes ${CHANGED} of them (--jobs N files)`,
  async run({ jobs: files = FILES }) {
    return inTemporaryFolder(async (folder) => {
      await using file = await open(join(folder, 'vectors'), 'w+');
      return await measure(files, fileCache(file, DIMENSIONS));
    });
  },
};

async function measure(files: number, cache: VectorCache): Promise<Report> {
  const provider = localProvider(DIMENSIONS);
  const source = generatedSource(files);
  const deps: EmbeddingDeps = {
    provider,
    cache,
    source,
    eligibility: readEligibility([]),
    signal: new AbortController().signal,
  };
  const entries = [...(await source.list('root'))];
  let peak = 0;
  const watching = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 100);
  const start = performance.now();
  const root = await embedRoot(deps, entries);
  const first = performance.now() - start;
  clearInterval(watching);

  const descriptor = createDescriptor('displacement');
  const changes = entries.slice(0, CHANGED).map(({ path, blob }, index) => ({
    path,
    oldBlob: blob,
    newBlob: blobOf(files + index),
    oldMode: '100644',
    newMode: '100644',
  }));
  const before = performance.now();
  const candidate = await updateVector(deps, root, changes);
  descriptor.describe({ candidate, root });
  const step = performance.now() - before;
  return {
    figures: [
      { what: `first embedding of ${files} files`, value: first / 1000, unit: 's', aim: 90 },
      { what: 'largest resident memory meanwhile', value: peak / 2 ** 20, unit: 'MiB', aim: 600 },
      { what: `descriptor of a commit that changes ${CHANGED}`, value: step, unit: 'ms', aim: 100 },
    ],
    notes: [
      `files are made on the fly and vectors of ${DIMENSIONS} numbers are kept in a file, so neither Git nor the database is in these figures.`,
    ],
  };
}

/** A repository whose files exist only while they are read. */
function generatedSource(files: number): FileSource {
  const numbers = new Map(Array.from({ length: files + CHANGED }, (_, file) => [blobOf(file), file]));
  return {
    list: async () =>
      Array.from(
        { length: files },
        (_, file): SourceEntry => ({
          path: `src/part${file % 97}/file${file}.c`,
          blob: blobOf(file),
          size: FILE_BYTES,
          mode: '100644',
        }),
      ),
    changes: async () => [],
    async *read(blobs) {
      for (const blob of blobs) yield { blob, bytes: contentOf(numbers.get(blob) ?? 0) };
      // Real sources wait for a process; without that the memory would not be looked at.
      await setImmediate();
    },
  };
}

function blobOf(file: number): string {
  return createHash('sha1').update(String(file)).digest('hex');
}

function contentOf(file: number): Uint8Array {
  const line = (at: number) =>
    `static int step_${(file * 31 + at) % 1009}(int value) { return value * ${(file + at) % 97} + table[${at}]; }\n`;
  let text = '';
  for (let at = 0; text.length < FILE_BYTES; at++) text += line(at);
  return Buffer.from(text.slice(0, FILE_BYTES));
}
