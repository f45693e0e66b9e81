/** A line as offsets into the text: from `start` up to `end`, its line break included. */
export interface Line {
  readonly start: number;
  readonly end: number;
}

/** How good a place is for a cut, the higher the better. */
export const RANK = { header: 0, inside: 1, statement: 2, block: 3, blank: 4, section: 5 } as const;

const TAB_COLUMNS = 8;
/** How far to look past blank lines; a header that is further away is none. */
const REACH_LINES = 20;
/** Ends of a line that announce a body: a brace or bracket, `:` of Python and YAML, `=`, `=>`, `->`, `then`, `do`. */
const OPENS = /(?:[{([:=\\]|->|=>|\b(?:then|do|else|begin|try|of|where))$/;
/** A line that belongs to what follows: a comment, a decorator or attribute, a heading, `#if`, `template<…>`. */
const ANNOUNCES =
  /^(?:\/\/|\/\*|\*|--|;;|#(?!endif|include|define|undef|pragma|import|error|warning|line)|@|<!--|"""|'''|template\s*<|\[[A-Z])/;
/** Of these, the ones that stand alone when a blank line follows. A `#` is not among them: it may be a heading. */
const COMMENT = /^(?:\/\/|\/\*|\*|--|;;|<!--)/;
/** A line that completes what precedes: closing brackets and words, and the brace of a body on its own line. */
const COMPLETES = /^(?:[)\]}{]|end\b|else\b|elif\b|elsif\b|except\b|catch\b|finally\b|fi\b|done\b|esac\b|<\/|\*\/)/;
const ENDS_BLOCK = /(?:[})\]];?|\bend|\bfi|\bdone|\besac|<\/[^>]*>)$/;
const ENDS_STATEMENT = /(?:[;.)}\]"'`>]|\w)$/;

/**
 * Ranks a cut before line `cut`, by what every language has: blank lines, indentation, brackets and the look of comments.
 *
 * - header: what precedes announces what follows — it opens a body, is a comment, a decorator or a heading, or the next
 *   line is indented deeper or completes it. Blank lines between do not change that, unless the line before was a
 *   comment: a comment and its blank line stand alone.
 * - section: after blank lines, before a line without indentation; blank: after any other blank line.
 * - block: after the end of a block, or before a line that is indented less; statement: after a statement of the same
 *   depth; inside: anywhere else, such as after a comma.
 */
export function classify(text: string, lines: readonly Line[], cut: number): number {
  let above = cut - 1;
  while (above >= 0 && above > cut - REACH_LINES && isBlank(text, lines[above])) above -= 1;
  let below = cut;
  while (below < lines.length && below < cut + REACH_LINES && isBlank(text, lines[below])) below += 1;
  const before = content(text, lines[above]);
  const after = content(text, lines[below]);
  const depthBefore = indentation(text, lines[above]);
  const depthAfter = indentation(text, lines[below]);
  const blank = above < cut - 1;

  if (before !== '' && after !== '') {
    if (ANNOUNCES.test(before) && !(blank && COMMENT.test(before))) return RANK.header;
    if (OPENS.test(tail(before)) || depthAfter > depthBefore || COMPLETES.test(after)) return RANK.header;
  }
  // The blank lines go with what is above them: a cut in front of them is worth nothing.
  if (below > cut) return RANK.inside;
  if (blank) return depthAfter === 0 ? RANK.section : RANK.blank;
  if (ENDS_BLOCK.test(tail(before)) || depthAfter < depthBefore) return RANK.block;
  return ENDS_STATEMENT.test(tail(before)) ? RANK.statement : RANK.inside;
}

function isBlank(text: string, line: Line | undefined): boolean {
  return line !== undefined && content(text, line) === '';
}

function content(text: string, line: Line | undefined): string {
  return line === undefined ? '' : text.slice(line.start, line.end).trim();
}

/** The end of a line, enough for the patterns above, so that minified lines cost no more than others. */
function tail(line: string): string {
  return line.slice(-32);
}

/** The columns of white space in front of a line. */
function indentation(text: string, line: Line | undefined): number {
  if (line === undefined) return 0;
  let columns = 0;
  for (let at = line.start; at < line.end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 9) columns += TAB_COLUMNS - (columns % TAB_COLUMNS);
    else if (code === 32) columns += 1;
    else break;
  }
  return columns;
}
