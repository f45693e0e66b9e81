import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { InfrastructureError } from '../errors.ts';

/** A file that takes the first `maxBytes` of what is written and says when it stopped. */
export interface LogFile {
  write(chunk: Uint8Array): void;
  /** @throws InfrastructureError when something could not be written (disk full). */
  close(): void;
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

/** Written synchronously: a queue of a write stream would grow with a child that is faster than the disk. */
export function openLog(path: string, maxBytes: number): LogFile {
  const file = openSync(path, FLAGS, 0o644);
  let left = maxBytes;
  let failure: unknown;

  function append(chunk: Uint8Array): void {
    try {
      for (let at = 0; at < chunk.length; ) at += writeSync(file, chunk, at);
    } catch (error) {
      // Thrown here it would end the daemon, as this runs in a stream's event; `close` tells.
      failure = error;
      left = 0;
    }
  }

  return {
    write(chunk) {
      if (left === 0) return;
      append(chunk.subarray(0, left));
      left = Math.max(0, left - chunk.length);
      if (left === 0 && failure === undefined) append(Buffer.from(`\n… log cut at ${maxBytes} bytes …\n`));
    },
    close() {
      closeSync(file);
      if (failure !== undefined) throw new InfrastructureError(`cannot write the log ${path}`, { cause: failure });
    },
  };
}
