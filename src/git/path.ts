/** A path as Git has it (any bytes but NUL) as a string; see `encodePath` for the way back. */
export function decodePath(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** The exact bytes of a path that `decodePath` made; give this, not the string, to `node:fs`. */
export function encodePath(path: string): Buffer {
  return Buffer.from(path);
}
