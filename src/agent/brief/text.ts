import { Fences } from './fences.ts';

/** Texts of others as parts of a brief. Limits are bytes in UTF-8, which is what a model's tokens go by in any script. */

/** The text, or its beginning and end with a note between them, at most about `limit` bytes. */
export function bounded(text: string, limit: number): string {
  const whole = text.trim();
  if (fits(whole, limit)) return whole.toWellFormed();
  const bytes = Buffer.from(whole);
  let head = Math.ceil(limit / 2);
  while (isInside(bytes, head)) head -= 1;
  let tail = bytes.length - Math.floor(limit / 2);
  while (isInside(bytes, tail)) tail += 1;
  return `${bytes.toString('utf8', 0, head)}\n… ${tail - head} bytes left out …\n${bytes.toString('utf8', tail)}`;
}

/** The same by UTF-16 units, and with its white space as it is. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit / 2);
  const tail = limit - head;
  const note = `\n… ${text.length - limit} characters left out …\n`;
  // A cut may fall between the halves of a surrogate pair.
  return (text.slice(0, head) + note + text.slice(text.length - tail)).toWellFormed();
}

/** The beginning of a Markdown text; a code block that the cut left open is closed. */
export function beginning(markdown: string, limit: number): string {
  if (fits(markdown, limit)) return markdown;
  const bytes = Buffer.from(markdown);
  let end = limit;
  while (isInside(bytes, end)) end -= 1;
  const fences = new Fences();
  const kept = bytes.toString('utf8', 0, end).split('\n');
  for (const line of kept) fences.see(line);
  return [...kept, ...(fences.open === null ? [] : [fences.open]), '', '… the rest is left out'].join('\n');
}

const HEADING = /^( {0,3})(#{1,6})(?=\s|$)/;

/**
 * Markdown of somebody else, bounded, as a part of ours: its headings are below those of the brief, and a code block that it leaves
 * open is closed, so that nothing of it can look like a section or swallow the next.
 */
export function prose(text: string, limit: number): string {
  const fences = new Fences();
  const lines = bounded(text, limit)
    .split('\n')
    .map((line) => {
      fences.see(line);
      const [start, indent = '', marks = ''] = (fences.open === null && HEADING.exec(line)) || [];
      if (start === undefined) return line;
      return `${indent}${'#'.repeat(Math.min(6, marks.length + 2))}${line.slice(start.length)}`;
    });
  return (fences.open === null ? lines : [...lines, fences.open]).join('\n');
}

/** Longest run of backticks in a code block: a fence is longer than any run inside, and must not outgrow the text. */
const LONGEST_RUN = 32;

/** A code block that the text cannot close: its fence is longer than any run of backticks inside. */
export function fenced(text: string, language = ''): string {
  const inside = text.replace(/`{33,}/g, `${'`'.repeat(LONGEST_RUN)}…`);
  const longest = [...inside.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${inside}\n${fence}`;
}

/** A bullet list; an item's further lines are indented below its first, but for empty ones. */
export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item.trim().replace(/\n(?=.)/g, '\n  ')}`).join('\n');
}

/** The beginning of a text on one line. */
export function headline(text: string, limit = 120): string {
  const line = text
    .slice(0, 4 * limit)
    .replace(/\s+/g, ' ')
    .trim();
  return (line.length <= limit ? line : `${line.slice(0, limit - 1)}…`).toWellFormed();
}

/** A name as code within a line. */
export function code(name: string): string {
  return `\`${headline(name, 200).replaceAll('`', '’')}\``;
}

function fits(text: string, limit: number): boolean {
  // No UTF-16 unit has more than three bytes.
  return text.length * 3 <= limit || Buffer.byteLength(text) <= limit;
}

/** Whether a byte continues a character that began before it. */
function isInside(bytes: Buffer, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}
