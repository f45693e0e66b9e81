import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { MAX_RESULT_BYTES } from './parse-result.ts';

/** A link would show a file of the host, and the opening of a fifo would never return. */
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NOT_A_FILE = new Set<unknown>(['ENOENT', 'ELOOP', 'ENXIO', 'ENOTDIR', 'EACCES']);

/** The text of a regular file, one byte longer than allowed when it is too long; null when there is none that can be read. */
export async function readResultFile(path: string): Promise<string | null> {
  try {
    await using file = await open(path, FLAGS);
    if (!(await file.stat()).isFile()) return null;
    const buffer = Buffer.alloc(MAX_RESULT_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length === buffer.length) break;
    }
    return buffer.toString('utf8', 0, length);
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOT_A_FILE.has(error.code)) return null;
    throw error;
  }
}
