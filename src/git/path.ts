/**
 * Names of files. Git's paths are bytes; ours are strings that any JSON or database can hold and that keep those bytes:
 * valid UTF-8 is itself (newlines, quotes and blanks too), a byte that is not is written `\xE9`, and a backslash, which
 * would make that ambiguous, is `\x5C`. So nearly every path is what a person would write.
 */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const escapeByte = (byte: number): string => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** A path as Git has it (any bytes but NUL) as a string; `encodePath` is the way back. */
export function decodePath(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes).replaceAll('\\', '\\x5C');
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // what a fatal decoder throws on invalid bytes
  }
  let out = '';
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceAt(bytes, at);
    const character = length === 0 ? '' : strict.decode(bytes.subarray(at, at + length));
    out += length === 0 ? escapeByte(bytes[at] ?? 0) : character === '\\' ? escapeByte(0x5c) : character;
    at += Math.max(1, length);
  }
  return out;
}

/** Length of the valid UTF-8 sequence that begins at `at`, 0 if there is none. */
function sequenceAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  try {
    return [...strict.decode(bytes.subarray(at, at + length))].length === 1 ? length : 0;
  } catch (error) {
    if (error instanceof TypeError) return 0;
    throw error;
  }
}

/** The exact bytes of a path that `decodePath` made; give these, not the string, to `node:fs`. */
export function encodePath(path: string): Buffer {
  if (!path.includes('\\')) return Buffer.from(path);
  const parts = path.split(/(\\x[0-9A-F]{2})/);
  return Buffer.concat(
    parts.map((part, index) => (index % 2 === 1 ? Buffer.of(Number.parseInt(part.slice(2), 16)) : Buffer.from(part))),
  );
}

const LETTERS: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** Reads a path as Git prints it without `-z`: plain, or in double quotes with C escapes. */
export function unquote(printed: string): string {
  if (!printed.startsWith('"')) return decodePath(Buffer.from(printed));
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of printed.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(LETTERS[letter] ?? 0);
    else bytes.push(...Buffer.from(plain ?? ''));
  }
  return decodePath(Uint8Array.from(bytes));
}

/** Writes bytes as a double-quoted C string, which every line-based input of Git understands. */
export function quote(bytes: Uint8Array): string {
  const body = Array.from(bytes, (byte) =>
    byte < 0x20 || byte >= 0x7f || byte === 0x22 || byte === 0x5c
      ? `\\${byte.toString(8).padStart(3, '0')}`
      : String.fromCharCode(byte),
  );
  return `"${body.join('')}"`;
}
