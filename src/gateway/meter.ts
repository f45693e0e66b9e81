import { parseJson } from './json.ts';
import { createSseReader } from './sse.ts';
import type { TokenUsage } from './usage.ts';
import type { Wire } from './wire/wire.ts';

/** A whole answer that is larger than this is not parsed for its usage. */
const MAX_ANSWER_BYTES = 64 * 2 ** 20;

/** Reads the usage from an answer while it passes by. */
export interface Meter {
  take(piece: Uint8Array): void;
  /** The usage, once the answer is complete; null when it said none. */
  finish(): TokenUsage | null;
}

/** `mediaType` is the answer's: a stream of events is read as it comes, anything else as one JSON text. */
export function createMeter(wire: Wire, mediaType: string): Meter {
  return mediaType.startsWith('text/event-stream') ? streamMeter(wire) : wholeMeter(wire);
}

function streamMeter(wire: Wire): Meter {
  let usage: TokenUsage | null = null;
  const read = createSseReader((data) => {
    const event = parseJson(data);
    if (event !== undefined) usage = wire.fold(usage, event);
  });
  return {
    take: read,
    finish() {
      read();
      return usage;
    },
  };
}

function wholeMeter(wire: Wire): Meter {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  return {
    take(piece) {
      bytes += piece.byteLength;
      if (bytes <= MAX_ANSWER_BYTES) pieces.push(piece);
    },
    finish() {
      if (bytes > MAX_ANSWER_BYTES) return null;
      return wire.usageOf(parseJson(Buffer.concat(pieces).toString('utf8')));
    },
  };
}
