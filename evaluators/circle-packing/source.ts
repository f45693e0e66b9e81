import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Reading a candidate's source: its tokens, what they cost, and the program that those tokens are.
 *
 * The judge runs the text that `read` returns, never the files themselves, so every byte that can influence the packing
 * has been charged. That also makes the lexer safe to be simple: where it takes a regular expression for a division or
 * the other way round, the tokens are odd, but they are still what runs and what is paid for.
 */

/** Characters of a token that cost one unit; long names are cheap, data hidden in one long string is not. */
const CHARACTERS_PER_UNIT = 16;

const SPACE = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/y;
const REGEX = /\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const WORD = /[\p{ID_Continue}$#@]+/uy;
const NUMBER = /(?:0[xob][\da-f_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:e[+-]?\d+)?)n?/iy;
const PUNCTUATION =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\+=|-=|\*=|\/=|%=|&=|\|=|\^=|<<|>>|\*\*|[\s\S]/uy;

/** After these a slash divides; after anything else it opens a regular expression. */
const ENDS_OPERAND = /^(?:[\p{ID_Continue}$'"`)\]}])/u;
const KEYWORD_BEFORE_REGEX = /^(?:return|typeof|case|in|of|void|throw|new|delete|do|else|yield|await)$/;

export interface Token {
  readonly text: string;
  /** Whether a line ended before it. */
  readonly lineBefore: boolean;
}

/** The tokens of a text in JavaScript, in order. */
export function tokens(text: string): Token[] {
  const found: Token[] = [];
  let at = 0;
  let lineBefore = false;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    return match === null || match[0] === '' ? null : match[0];
  };
  while (at < text.length) {
    const gap = take(SPACE) ?? take(COMMENT);
    if (gap !== null) {
      lineBefore ||= /[\n\u2028\u2029]/.test(gap);
      at += gap.length;
      continue;
    }
    const before = found.at(-1)?.text ?? '';
    const divides = ENDS_OPERAND.test(before.slice(-1)) && !KEYWORD_BEFORE_REGEX.test(before);
    const token =
      take(STRING) ??
      takeTemplate(text, at) ??
      (divides ? null : take(REGEX)) ??
      take(NUMBER) ??
      take(WORD) ??
      take(PUNCTUATION) ??
      text.slice(at, at + 1);
    found.push({ text: token, lineBefore });
    at += token.length;
    lineBefore = false;
  }
  return found;
}

/** A template literal from its first to its last backtick is one token, with whatever is nested in it. */
function takeTemplate(text: string, start: number): string | null {
  if (text[start] !== '`') return null;
  let at = start + 1;
  for (;;) {
    TEMPLATE_PART.lastIndex = at;
    const part = TEMPLATE_PART.exec(text);
    if (part === null) return null;
    at += part[0].length;
    if (part[0].endsWith('`')) return text.slice(start, at);
    for (let depth = 1; depth > 0; ) {
      if (at >= text.length) return null;
      STRING.lastIndex = at;
      const inner = STRING.exec(text)?.[0] ?? takeTemplate(text, at) ?? text.charAt(at);
      if (inner === '{') depth += 1;
      if (inner === '}') depth -= 1;
      at += inner.length;
    }
  }
}

/** The cost in units: one for every started sixteen bytes of a token. */
export function cost(list: readonly Token[]): number {
  return list.reduce((sum, { text }) => sum + Math.ceil(Buffer.byteLength(text) / CHARACTERS_PER_UNIT), 0);
}

/** The program without comments, each gap a single space or line end. */
export function program(list: readonly Token[]): string {
  return `${list.map(({ text, lineBefore }, i) => (i === 0 ? '' : lineBefore ? '\n' : ' ') + text).join('')}\n`;
}

export interface Source {
  /** Programs by name. */
  readonly files: ReadonlyMap<string, string>;
  /** Of all of them. */
  readonly cost: number;
  /** Equal for candidates that differ only in comments and layout. */
  readonly identity: string;
}

/** Reads the JavaScript files at the top of a checkout; links and folders are left out and so cannot be imported. */
export function readSource(directory: string): Source {
  const names = readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => entry.name)
    .sort();
  const files = new Map<string, string>();
  let total = 0;
  for (const name of names) {
    const list = tokens(readFileSync(join(directory, name), 'utf8'));
    files.set(name, program(list));
    total += cost(list);
  }
  const hash = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('hex');
  return { files, cost: total, identity: `sha256:${hash}` };
}
