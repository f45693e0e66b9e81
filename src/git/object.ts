import fs, { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readObject as readLoose } from 'isomorphic-git';
import { GitError } from '../errors.ts';
import type { Hub } from './hub.ts';
import { act } from './run.ts';

/**
 * The content of one commit or tree. What we made lately lies loose and is read in this process by isomorphic-git. Git is
 * asked for the rest: isomorphic-git would read a whole pack into memory for one object, and knows no SHA-256.
 * @throws GitError when there is no such object.
 */
export async function readContent(hub: Hub, type: 'commit' | 'tree', oid: string): Promise<Buffer> {
  const loose = oid.length === 40 && existsSync(join(hub.dir, 'objects', oid.slice(0, 2), oid.slice(2)));
  if (!loose) return (await act({ gitDir: hub.dir }, ['cat-file', type, oid])).stdout;
  const read = await readLoose({ fs, gitdir: hub.dir, oid, format: 'content' });
  if (read.type !== type || !(read.object instanceof Uint8Array)) throw new GitError(`${oid} is not a ${type}`, '');
  return Buffer.from(read.object);
}
