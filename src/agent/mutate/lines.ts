import type { Places, Statement } from './source.ts';
import type { Span } from './text.ts';

const NUMBER = /(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])/g;
const BOOLEAN = /\b(?:true|false)\b/g;

/** The places of a file without a grammar: lines with a word are statements, and those of one depth side by side are a block. */
export function indexLines(text: string, starts: readonly number[]): Places {
  const statements: Statement[] = [];
  let block = 0;
  let depth: string | null = null;
  for (const [index, start] of starts.entries()) {
    const line = text.slice(start, starts[index + 1] ?? text.length);
    const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
    const end = start + line.trimEnd().length;
    if (!/\w/.test(line)) {
      depth = null;
      continue;
    }
    if (indent !== depth) block += 1;
    depth = indent;
    statements.push({ start: start + indent.length, end, block, copyable: true });
  }
  return { statements, numbers: spans(text, NUMBER), booleans: spans(text, BOOLEAN), operators: [] };
}

function spans(text: string, pattern: RegExp): Span[] {
  return [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
}
