import type { FeatureCounts } from './counts.ts';
import { TOKEN, type Tokens } from './tokens.ts';

/**
 * The features of a text, each a 32-bit number whose two lowest bits tell its group:
 *
 * - `words`: sub-tokens of names (`parseHTTPRequest2` → parse, http, request2; `max_size` → max, size), keywords, numbers;
 * - `shapes`: 2- and 4-grams of tokens in which every name is one and the same, and every number is;
 * - `pairs`: 2-grams of the tokens as they are. With little weight: they only make sure that every edit leaves a
 *   trace, also one that exchanges two names or two numbers and so keeps words and shapes.
 */
export const GROUP = { words: 0, shapes: 1, pairs: 2 } as const;

const ANY_NAME = 0x1b873593;
const ANY_NUMBER = 0x2f0b4c47;

export function countFeatures(bytes: Uint8Array, tokens: Tokens, counts: FeatureCounts): void {
  const { kinds, hashes, starts, ends, length } = tokens;
  // The last three shapes and the last exact token, so that a gram needs no look back into the arrays.
  let shape1 = 0;
  let shape2 = 0;
  let shape3 = 0;
  let exact1 = 0;
  for (let index = 0; index < length; index += 1) {
    const kind = kinds[index] ?? 0;
    const exact = hashes[index] ?? 0;
    let shape = exact;
    if (kind === TOKEN.identifier) {
      shape = ANY_NAME;
      countWords(bytes, starts[index] ?? 0, ends[index] ?? 0, counts);
    } else if (kind !== TOKEN.punctuation) {
      if (kind === TOKEN.number) shape = ANY_NUMBER;
      counts.add(grouped(mix(exact), GROUP.words));
    }
    const pair = mix(join(shape1, shape));
    counts.add(grouped(pair, GROUP.shapes));
    if (index >= 3) counts.add(grouped(mix(join(join(shape3, shape2), pair)), GROUP.shapes));
    counts.add(grouped(mix(join(exact1, exact)), GROUP.pairs));
    shape3 = shape2;
    shape2 = shape1;
    shape1 = shape;
    exact1 = exact;
  }
}

/** Counts the sub-tokens of a name, in lower case. */
function countWords(bytes: Uint8Array, start: number, end: number, counts: FeatureCounts): void {
  let hash = 0;
  let previousUpper = false;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    const upper = byte >= 65 && byte <= 90;
    const separator = byte === 95 || byte === 36;
    // A word ends at a separator, before a capital after a small letter, and before the last of several capitals.
    if (hash !== 0 && (separator || (upper && (!previousUpper || isLower(bytes, at + 1, end))))) {
      counts.add(grouped(mix(hash), GROUP.words));
      hash = 0;
    }
    if (!separator) hash = join(hash, upper ? byte + 32 : byte);
    previousUpper = upper;
  }
  if (hash !== 0) counts.add(grouped(mix(hash), GROUP.words));
}

function isLower(bytes: Uint8Array, at: number, end: number): boolean {
  const byte = at < end ? (bytes[at] ?? 0) : 0;
  return byte >= 97 && byte <= 122;
}

function grouped(hash: number, group: number): number {
  return (hash & ~3) | group;
}

/** Combines two 32-bit hashes, in order. */
function join(left: number, right: number): number {
  return Math.imul(left ^ 0x9e3779b9, 0x01000193) ^ right;
}

/** The finaliser of MurmurHash3: every bit of the input reaches every bit of the output. */
function mix(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
