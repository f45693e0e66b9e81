/** How texts are laid out over requests: pure, so that the limits can be tested without a server. */

/** Part of a text: `text` is the index of the text that it comes from, `bytes` its size in UTF-8. */
export interface Piece {
  readonly text: number;
  readonly content: string;
  readonly bytes: number;
}

export interface BatchLimits {
  /** A longer text is cut into pieces, whose vectors are averaged by size. */
  readonly pieceBytes: number;
  readonly batchPieces: number;
  readonly batchBytes: number;
}

/**
 * A model takes 8,192 tokens a text and a request 300,000. Code has two to four bytes a token, so 16 KiB and 256 KiB stay
 * below without knowing the tokenizer.
 */
export const DEFAULT_LIMITS: BatchLimits = { pieceBytes: 16 * 1024, batchPieces: 128, batchBytes: 256 * 1024 };

/** Cuts texts into pieces and pieces into batches, all in order. A text without any visible content has no piece. */
export function planBatches(texts: readonly string[], limits: BatchLimits): Piece[][] {
  const batches: Piece[][] = [];
  let batch: Piece[] = [];
  let bytes = 0;
  for (const [text, whole] of texts.entries()) {
    for (const content of cut(whole, limits.pieceBytes)) {
      const piece = { text, content, bytes: Buffer.byteLength(content) };
      const full = batch.length === limits.batchPieces || bytes + piece.bytes > limits.batchBytes;
      if (full && batch.length > 0) {
        batches.push(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(piece);
      bytes += piece.bytes;
    }
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

function cut(text: string, limit: number): string[] {
  // Servers refuse an empty input, and white space alone means nothing.
  if (text.trim() === '') return [];
  const bytes = Buffer.from(text);
  const parts: string[] = [];
  let from = 0;
  while (from < bytes.length) {
    let to = Math.min(from + limit, bytes.length);
    // Back to the first byte of a character: 10xxxxxx continues one.
    while (to < bytes.length && to > from + 1 && ((bytes[to] ?? 0) & 0xc0) === 0x80) to -= 1;
    const part = bytes.toString('utf8', from, to);
    if (part.trim() !== '') parts.push(part);
    from = to;
  }
  return parts;
}
