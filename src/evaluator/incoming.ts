import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processStart } from '../process/index.ts';

/** `.incoming-<pid>-<start>-<random>`: a copy under way, and whose. */
const PREFIX = '.incoming-';

/** Makes a folder in `into` for a copy that is not whole yet. */
export async function beginCopy(into: string): Promise<string> {
  const owner = `${process.pid}-${processStart(process.pid) ?? 0}`;
  const dir = join(into, `${PREFIX}${owner}-${randomBytes(6).toString('hex')}`);
  await mkdir(dir);
  return dir;
}

/** Removes what processes that are dead by now left half copied. */
export async function removeUnfinished(into: string): Promise<void> {
  for (const name of await readdir(into)) {
    if (!name.startsWith(PREFIX)) continue;
    const [pid, start] = name.slice(PREFIX.length).split('-');
    if (processStart(Number(pid)) !== Number(start)) await rm(join(into, name), { recursive: true, force: true });
  }
}
