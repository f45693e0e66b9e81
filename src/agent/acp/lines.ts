/**
 * Cuts bytes into lines of at most `limit` bytes, without their ends.
 * @throws RangeError at a line that is longer, which is not kept
 */
export function createCutter(limit: number): (chunk: Uint8Array) => Generator<string> {
  let pieces: Uint8Array[] = [];
  let bytes = 0;
  const keep = (piece: Uint8Array): void => {
    bytes += piece.length;
    if (bytes > limit) {
      pieces = [];
      throw new RangeError(`a line is longer than ${limit} bytes`);
    }
    pieces.push(piece);
  };
  return function* (chunk) {
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      keep(chunk.subarray(from, at));
      from = at + 1;
      const line = Buffer.concat(pieces).toString('utf8').trim();
      pieces = [];
      bytes = 0;
      yield line;
    }
    // A copy: small pieces that are views would each keep a whole chunk alive.
    if (from < chunk.length) keep(Uint8Array.from(chunk.subarray(from)));
  };
}
