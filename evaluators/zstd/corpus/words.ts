import { below, between, choose, type Random } from './random.ts';

/** A language that nobody speaks: words of syllables, which a seed chooses from these letters. */

const ONSETS = [
  '',
  'b',
  'br',
  'c',
  'ch',
  'd',
  'f',
  'g',
  'gl',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pr',
  'r',
  's',
  'st',
  't',
  'tr',
  'v',
  'w',
  'z',
];
const NUCLEI = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io', 'ou'];
const CODAS = ['', '', '', 'l', 'm', 'n', 'nd', 'r', 'rt', 's', 'st', 't', 'x'];

/** @returns `count` different words, short ones first, as the frequent words of a language are */
export function makeWords(next: Random, count: number): string[] {
  const syllables = Array.from(
    { length: between(next, 60, 200) },
    () => choose(next, ONSETS) + choose(next, NUCLEI) + choose(next, CODAS),
  );
  const words = new Set<string>();
  while (words.size < count) {
    // Longer words as the short ones run out.
    const most = 1 + Math.floor(Math.log2(2 + words.size / 40));
    words.add(Array.from({ length: 1 + below(next, most) }, () => choose(next, syllables)).join(''));
  }
  return [...words];
}

export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
