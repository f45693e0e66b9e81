import { createHash, randomUUID } from 'node:crypto';
import fs, { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { readObject } from 'isomorphic-git';
import { GitError } from '../errors.ts';
import type { Hub } from './hub.ts';
import { act } from './run.ts';

type Type = 'commit' | 'tree' | 'blob';

/** Whether an object lies in a file of its own, as what we made lately does: then this process can read it. No SHA-256, which isomorphic-git does not know. */
export function isLoose(hub: Hub, oid: string): boolean {
  return oid.length === 40 && existsSync(placeOf(hub, oid));
}

/**
 * The content of one commit or tree. What we made lately lies loose and is read in this process by isomorphic-git. Git is
 * asked for the rest: isomorphic-git would read a whole pack into memory for one object, and knows no SHA-256.
 * @throws GitError when there is no such object.
 */
export async function readContent(hub: Hub, type: 'commit' | 'tree', oid: string): Promise<Buffer> {
  if (isLoose(hub, oid)) return readLoose(hub, type, oid);
  return (await act({ gitDir: hub.dir }, ['cat-file', type, oid])).stdout;
}

/** @throws GitError when it is of another type. */
export async function readLoose(hub: Hub, type: Type, oid: string): Promise<Buffer> {
  const read = await readObject({ fs, gitdir: hub.dir, oid, format: 'content' });
  if (read.type !== type || !(read.object instanceof Uint8Array)) throw new GitError(`${oid} is not a ${type}`, '');
  return Buffer.from(read.object);
}

/**
 * Writes a small object as Git does, under a name that no reader looks at until it is whole, and returns its SHA-1 id. Isomorphic-git would
 * write in place: a process that is killed then leaves half an object, which no later write mends.
 */
export async function writeLoose(hub: Hub, type: 'commit', content: string): Promise<string> {
  const body = Buffer.from(content);
  const whole = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  const oid = createHash('sha1').update(whole).digest('hex');
  const place = placeOf(hub, oid);
  if (existsSync(place)) return oid;
  const folder = dirname(place);
  await mkdir(folder, { recursive: true });
  // Git clears old files of this name away when it collects garbage.
  const unfinished = join(folder, `tmp_obj_${randomUUID().slice(0, 8)}`);
  await writeFile(unfinished, await promisify(deflate)(whole), { mode: 0o444 });
  await rename(unfinished, place);
  return oid;
}

function placeOf(hub: Hub, oid: string): string {
  return join(hub.dir, 'objects', oid.slice(0, 2), oid.slice(2));
}
