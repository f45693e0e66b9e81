import type { Mutation } from '../operator.ts';
import type { Source } from '../source.ts';
import type { Span } from '../text.ts';

/** The mutation that puts `text` in the place of one token; null when that changes nothing. */
export function replaceToken(source: Source, span: Span, text: string, what: string): Mutation | null {
  const before = source.text.slice(span.start, span.end);
  if (before === text) return null;
  // Where a minus goes away its neighbour may be a word: `return-1`.
  const joins = /^[\w.]/.test(text) && /[\w.]$/.test(source.text.slice(0, span.start).slice(-1));
  return {
    edits: [{ ...span, text: joins ? ` ${text}` : text }],
    at: span.start,
    description: `${what} ${before} → ${text}`,
  };
}

/** The tokens of one of the groups, each with the others of its group. */
export function inGroups(
  source: Source,
  groups: readonly (readonly string[])[],
): { readonly span: Span; readonly others: readonly string[] }[] {
  return source.operators.flatMap((span) => {
    const token = source.text.slice(span.start, span.end);
    const group = groups.find((tokens) => tokens.includes(token));
    return group === undefined ? [] : [{ span, others: group.filter((other) => other !== token) }];
  });
}
