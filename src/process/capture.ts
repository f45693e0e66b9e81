import { StringDecoder } from 'node:string_decoder';
import type { Captured } from './request.ts';

/** Keeps the first and the last bytes of a stream of any length in `headBytes + tailBytes` of memory. */
export interface Capture {
  push(chunk: Uint8Array): void;
  read(): Captured;
}

export function createCapture(headBytes: number, tailBytes: number): Capture {
  const head: Uint8Array[] = [];
  let headLeft = headBytes;
  // A ring, made when the head overflows. A list of chunks would cost an object per write of a child that writes single bytes.
  let ring: Buffer | undefined;
  let overflow = 0;

  return {
    push(chunk) {
      if (headLeft > 0) {
        const part = chunk.subarray(0, headLeft);
        head.push(Buffer.from(part));
        headLeft -= part.length;
        chunk = chunk.subarray(part.length);
      }
      if (chunk.length === 0) return;
      ring ??= Buffer.alloc(tailBytes);
      writeRing(ring, overflow, chunk);
      overflow += chunk.length;
    },
    read() {
      const tail = ring === undefined ? Buffer.alloc(0) : readRing(ring, overflow);
      const leftOut = overflow - tail.length;
      const bytes = headBytes - headLeft + overflow;
      if (leftOut === 0) return { text: plainText(Buffer.concat([...head, tail])), bytes, truncated: false };
      const start = plainText(new StringDecoder('utf8').write(Buffer.concat(head)));
      const end = plainText(tail.subarray(firstCharacter(tail)));
      return { text: `${start}\n… ${leftOut} bytes left out …\n${end}`, bytes, truncated: true };
    },
  };
}

/** Text that PostgreSQL takes: valid UTF-8, U+FFFD in place of NUL and of bytes that are no UTF-8. */
export function plainText(raw: Buffer | string): string {
  return (typeof raw === 'string' ? raw : raw.toString('utf8')).replaceAll('\0', '\uFFFD').toWellFormed();
}

function writeRing(ring: Buffer, position: number, chunk: Uint8Array): void {
  if (ring.length === 0) return;
  const skipped = Math.max(0, chunk.length - ring.length);
  const kept = chunk.subarray(skipped);
  const at = (position + skipped) % ring.length;
  const first = kept.subarray(0, ring.length - at);
  ring.set(first, at);
  ring.set(kept.subarray(first.length), 0);
}

function readRing(ring: Buffer, written: number): Buffer {
  if (written <= ring.length) return ring.subarray(0, written);
  const at = written % ring.length;
  return Buffer.concat([ring.subarray(at), ring.subarray(0, at)]);
}

/** Where the first whole character starts: continuation bytes (10xxxxxx) belong to one that was cut. */
function firstCharacter(bytes: Buffer): number {
  let at = 0;
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
