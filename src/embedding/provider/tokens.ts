/**
 * A language-neutral tokenizer over UTF-8 bytes. It makes no strings and no objects: a token is a range of bytes, a class
 * and a 32-bit hash, in arrays that are used again for the next text. That is what lets the built-in provider keep up
 * with a repository of many megabytes.
 */

export const TOKEN = { identifier: 0, keyword: 1, number: 2, punctuation: 3 } as const;

/** The tokens of one text; only the first `length` values of each array count. Strings and comments are not special. */
export interface Tokens {
  length: number;
  kinds: Uint8Array;
  hashes: Uint32Array;
  starts: Uint32Array;
  ends: Uint32Array;
}

/** Bytes by class: 0 white space, 1 letter (also `_`, `$` and every byte of a non-ASCII character), 2 digit, 3 other. */
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte <= 32) return 0;
  if ((byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 95 || byte === 36 || byte >= 128) return 1;
  return byte >= 48 && byte <= 57 ? 2 : 3;
});

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** Words that say what a statement is in the common languages; every other word is a name that can be exchanged. */
const KEYWORDS = new Set(
  `if else elif for foreach while do loop switch case match default break continue goto return yield await async throw
   raise try catch except finally with function func fn def lambda class struct enum union interface trait impl
   type typedef const let var val mut static public private protected import from include use export package module
   namespace new delete this self super null nil none true false void int char float double long short unsigned signed
   bool boolean string in is not and or end then begin of as extends implements`
    .trim()
    .split(/\s+/)
    .map((word) => hashOf(word)),
);
const KEYWORD_BITS = keywordFilter();

export function createTokens(): Tokens {
  return allocate(4096);
}

/** Tokenizes the first `length` bytes into `tokens`, growing its arrays where needed. */
export function tokenize(bytes: Uint8Array, length: number, tokens: Tokens): void {
  if (tokens.kinds.length < length) Object.assign(tokens, allocate(length));
  const { kinds, hashes, starts, ends } = tokens;
  let count = 0;
  let at = 0;
  while (at < length) {
    let byte = bytes[at] ?? 0;
    const first = CLASS[byte] ?? 0;
    if (first === 0) {
      at += 1;
      continue;
    }
    const start = at;
    let hash = Math.imul(FNV_OFFSET ^ byte, FNV_PRIME);
    at += 1;
    let kind: number = TOKEN.punctuation;
    if (first !== 3) {
      // A number takes letters too (0xff, 1e9, 10u) and its fraction; a name takes digits.
      while (at < length) {
        byte = bytes[at] ?? 0;
        const next = CLASS[byte] ?? 0;
        if (next !== 1 && next !== 2 && !(first === 2 && byte === 46)) break;
        hash = Math.imul(hash ^ byte, FNV_PRIME);
        at += 1;
      }
      kind = first === 2 ? TOKEN.number : isKeyword(hash >>> 0) ? TOKEN.keyword : TOKEN.identifier;
    }
    kinds[count] = kind;
    hashes[count] = hash;
    starts[count] = start;
    ends[count] = at;
    count += 1;
  }
  tokens.length = count;
}

function allocate(capacity: number): Tokens {
  return {
    length: 0,
    kinds: new Uint8Array(capacity),
    hashes: new Uint32Array(capacity),
    starts: new Uint32Array(capacity),
    ends: new Uint32Array(capacity),
  };
}

function isKeyword(hash: number): boolean {
  // One bit tells most names apart from the keywords without asking the set.
  return KEYWORD_BITS[hash & 4095] === 1 && KEYWORDS.has(hash);
}

function keywordFilter(): Uint8Array {
  const bits = new Uint8Array(4096);
  for (const hash of KEYWORDS) bits[hash & 4095] = 1;
  return bits;
}

function hashOf(word: string): number {
  let hash = FNV_OFFSET;
  for (const byte of Buffer.from(word)) hash = Math.imul(hash ^ byte, FNV_PRIME);
  return hash >>> 0;
}
