/** A range of a text in UTF-16 code units, `end` excluded: the offsets of JavaScript strings and of web-tree-sitter. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The range is replaced by `text`. */
export interface Edit extends Span {
  readonly text: string;
}

/** Whether two edits may be applied together. Two insertions at one place are not independent either. */
export function disjoint(a: Span, b: Span): boolean {
  return (a.end <= b.start || b.end <= a.start) && a.start !== b.start;
}

/** Edits in the order of the text. @throws RangeError when two of them overlap */
export function ordered(edits: readonly Edit[]): Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  for (const [index, edit] of sorted.entries()) {
    const next = sorted[index + 1];
    if (next !== undefined && !disjoint(edit, next)) {
      throw new RangeError(`edits overlap: ${edit.start}–${edit.end} and ${next.start}–${next.end}`);
    }
  }
  return sorted;
}

/** The text with all edits made; offsets are those of the text before. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = '';
  let at = 0;
  for (const edit of ordered(edits)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The offsets at which lines begin. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The zero-based line of an offset. */
export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line end that a text uses. */
export function lineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The white space at the beginning of the line that `offset` is in. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? '';
}

/** The lines that hold nothing but the range, with the last line's end; null when something else shares them. */
export function wholeLines(text: string, span: Span): Span | null {
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const newline = text.indexOf('\n', span.end);
  const end = newline === -1 ? text.length : newline + 1;
  const alone = text.slice(start, span.start).trim() === '' && text.slice(span.end, end).trim() === '';
  return alone ? { start, end } : null;
}

/** A piece of text moved from one depth to another: every line but the first begins at the new depth. */
export function reindent(piece: string, from: string, to: string): string {
  if (from === to || !piece.includes('\n')) return piece;
  const [first = '', ...rest] = piece.split('\n');
  return [first, ...rest.map((line) => (line.startsWith(from) ? to + line.slice(from.length) : line))].join('\n');
}

/** The beginning of a piece of text on one line, for messages. */
export function excerpt(piece: string, length = 40): string {
  const line = piece.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${line.slice(0, length - 1)}…`;
}
