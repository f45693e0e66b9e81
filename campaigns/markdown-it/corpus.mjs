import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The texts that are rendered. Each round has documents of its own, equal for root and candidate and never seen before,
 * so that a cache of earlier results gains nothing.
 */

const DOCUMENT_CHARACTERS = 8_000;

/** Of five paragraphs three are for the search, one chooses the winner and one is shown to the winner alone. */
const SPLITS = { train: [0, 1, 2], validation: [3], holdout: [4] };

/**
 * The texts that documents are made of: the CommonMark specification and the READMEs of the packages.
 *
 * @param {string} modules a folder of packages
 * @returns {string[]}
 */
export function readSources(modules) {
  const readmes = readdirSync(modules)
    .sort()
    .flatMap((name) =>
      readdirSync(join(modules, name))
        .filter((file) => /^readme\.md$/i.test(file))
        .map((file) => join(modules, name, file)),
    );
  return [join(modules, 'commonmark-spec', 'spec.txt'), ...readmes].map((path) =>
    readFileSync(path, 'utf8').replaceAll('→', '\t'),
  );
}

/**
 * Documents of about 8,000 characters from the split's paragraphs of the sources in another order, each paragraph marked with
 * a word of its own. No paragraph is in two splits.
 *
 * @param {readonly string[]} sources
 * @param {keyof typeof SPLITS} split
 * @param {number} seed
 * @param {number} count
 * @returns {string[]}
 */
export function makeDocuments(sources, split, seed, count) {
  const paragraphs = sources
    .flatMap((text) => text.split(/\n{2,}/))
    .filter((text) => text.length < DOCUMENT_CHARACTERS)
    .filter((_, i) => SPLITS[split].includes(i % 5));
  const next = generator(seed);
  return Array.from({ length: count }, () => {
    const parts = [];
    for (let length = 0; length < DOCUMENT_CHARACTERS; ) {
      const paragraph = `${paragraphs[next() % paragraphs.length]} w${next().toString(36)}`;
      parts.push(paragraph);
      length += paragraph.length;
    }
    return parts.join('\n\n');
  });
}

/** SplitMix32 (Steele, Lea, Flood 2014): 32 random bits a call. */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return (bits ^ (bits >>> 15)) >>> 0;
  };
}
