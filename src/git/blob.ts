import { GitError } from '../errors.ts';
import type { Hub } from './hub.ts';
import { isLoose, readLoose } from './object.ts';
import { stream } from './run.ts';

export interface Blob {
  readonly oid: string;
  readonly bytes: Buffer;
}

/** So few blobs that lie loose are read sooner than a Git process is started. */
const FEW = 16;

/**
 * Streams blobs in the order asked for, through one `git cat-file --batch` unless they are few; one blob is in memory at a time.
 * @throws GitError when an object is missing.
 */
export async function* readBlobs(hub: Hub, wanted: Iterable<string>): AsyncGenerator<Blob> {
  const oids = [...wanted];
  if (oids.length <= FEW && oids.every((oid) => isLoose(hub, oid))) {
    for (const oid of oids) yield { oid, bytes: await readLoose(hub, 'blob', oid) };
    return;
  }
  const chunks = stream({ gitDir: hub.dir }, ['cat-file', '--batch'], oids.map((oid) => `${oid}\n`).join(''));
  // A record is `<id> <type> <size>\n`, that many bytes, `\n`.
  let pending: Buffer[] = [];
  let held = 0;
  let header: { oid: string; size: number } | null = null;
  for await (const chunk of chunks) {
    pending.push(chunk);
    held += chunk.length;
    while (true) {
      if (header === null) {
        const text: Buffer = Buffer.concat(pending);
        pending = [text];
        const end = text.indexOf(10);
        if (end < 0) break;
        header = parseHeader(text.toString('latin1', 0, end));
        pending = [text.subarray(end + 1)];
        held = text.length - end - 1;
      }
      if (held < header.size + 1) break;
      const all: Buffer = Buffer.concat(pending);
      yield { oid: header.oid, bytes: Buffer.from(all.subarray(0, header.size)) };
      pending = [all.subarray(header.size + 1)];
      held = all.length - header.size - 1;
      header = null;
    }
  }
}

function parseHeader(line: string): { oid: string; size: number } {
  const [oid, type, size] = line.split(' ');
  if (oid === undefined || type !== 'blob') throw new GitError(`no such blob: ${oid ?? ''}`, line);
  return { oid, size: Number(size) };
}
