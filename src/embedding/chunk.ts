import { classify, type Line } from './boundary.ts';

/** Lines in a chunk, at most and at least (a shorter file is one chunk), and shared with the chunk before (formulas §1). */
export const MAX_LINES = 80;
export const MIN_LINES = 20;
export const OVERLAP_LINES = 8;
/** Chunks of one file; what lies beyond is dropped and reported. */
export const MAX_CHUNKS = 64;

/** Consecutive lines of a file. `startLine` counts from 0. */
export interface Chunk {
  readonly text: string;
  readonly startLine: number;
  readonly lines: number;
}

export interface Chunked {
  readonly chunks: readonly Chunk[];
  /** Lines at the end that are in no chunk because of `MAX_CHUNKS`. */
  readonly droppedLines: number;
}

/**
 * Cuts a text into overlapping chunks of 20 to 80 lines, in any language.
 *
 * A chunk that starts at line s ends before a line e in [s + 20, s + 80], chosen so that the last chunk keeps 20 lines too. Of
 * the possible e the one with the best boundary wins, and among equals the latest (`boundary.ts` ranks them; between a
 * header and its body it never cuts while there is another place). The next chunk starts at e − 8.
 */
export function chunk(text: string): Chunked {
  const lines = splitLines(text);
  const chunks: Chunk[] = [];
  const push = (start: number, end: number) => {
    const from = lines[start]?.start ?? 0;
    chunks.push({ text: text.slice(from, lines[end]?.start ?? text.length), startLine: start, lines: end - start });
  };
  let start = 0;
  while (lines.length - start > MAX_LINES && chunks.length < MAX_CHUNKS) {
    const end = bestCut(text, lines, start);
    push(start, end);
    if (chunks.length === MAX_CHUNKS) return { chunks, droppedLines: lines.length - end };
    start = end - OVERLAP_LINES;
  }
  push(start, lines.length);
  return { chunks, droppedLines: 0 };
}

function bestCut(text: string, lines: readonly Line[], start: number): number {
  const latest = Math.min(start + MAX_LINES, lines.length - MIN_LINES + OVERLAP_LINES);
  let best = latest;
  let bestRank = -1;
  for (let cut = latest; cut >= start + MIN_LINES; cut -= 1) {
    const rank = classify(text, lines, cut);
    if (rank <= bestRank) continue;
    best = cut;
    bestRank = rank;
  }
  return best;
}

/** The lines of a text; a line break at the very end starts no further line. */
function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const next = newline === -1 ? text.length : newline + 1;
    lines.push({ start, end: next });
    start = next;
  }
  return lines;
}
