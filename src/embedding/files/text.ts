/** The largest file that is embedded, in bytes (512 KB; formulas §1). */
export const MAX_FILE_BYTES = 512 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a file, or null when it is not embedded: empty, over `MAX_FILE_BYTES`, with a NUL, or not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  if (!eligibleSize(bytes.byteLength) || bytes.includes(0)) return null;
  try {
    return utf8.decode(bytes);
  } catch {
    // Not UTF-8 is an answer here, and decoding is the only way that the platform offers to ask.
    return null;
  }
}

export function eligibleSize(bytes: number): boolean {
  return bytes > 0 && bytes <= MAX_FILE_BYTES;
}
