/**
 * The corpora: texts made from a seed, no file from anywhere.
 *
 * - `KINDS` what there is; each is a file of this folder that makes a *world* from the seed (a language, a record layout, the
 *   messages of a program) and from the world any number of documents
 * - `makeCorpus` one part of the corpus of a seed, new with each number
 * - `edgeCases` small and odd inputs for the gates
 */

import { makeLog } from './log.ts';
import { makeNoise } from './noise.ts';
import { between, logWithin, type Random, random } from './random.ts';
import { makeRecords } from './records.ts';
import { Sink } from './sink.ts';
import { makeSource } from './source.ts';
import { makeText } from './text.ts';

export { edgeCases } from './edges.ts';
export { type Random, random } from './random.ts';

const MAKERS = { text: makeText, source: makeSource, records: makeRecords, log: makeLog, noise: makeNoise } as const;

export type Kind = keyof typeof MAKERS;

export const KINDS = Object.keys(MAKERS) as Kind[];

/** Makes documents of one kind and world. */
export type Corpus = (part: number | string, bytes: number) => Buffer[];

/**
 * The corpus of a kind. The seed fixes its world, also how long documents are; each part has documents of its own, `bytes`
 * together, which no other part has. Equal arguments give equal bytes.
 */
export function makeCorpus(seed: string, kind: Kind): Corpus {
  const world = random(seed, kind, 'world');
  const shortest = between(world, 2_000, 30_000);
  const longest = between(world, 300_000, 2_000_000);
  const fill = MAKERS[kind](world);
  return (part, bytes) => {
    const next = random(seed, kind, 'part', part);
    const documents: Buffer[] = [];
    for (let left = bytes; left > 0; ) {
      const size = Math.min(left, Math.round(logWithin(next, shortest, longest)));
      documents.push(document(fill, next, size));
      left -= size;
    }
    return documents;
  };
}

function document(fill: (next: Random, sink: Sink) => void, next: Random, size: number): Buffer {
  const sink = new Sink(size);
  fill(next, sink);
  return sink.done();
}
