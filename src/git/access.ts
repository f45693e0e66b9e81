import { chmod, lstat, readdir } from 'node:fs/promises';

const OWNER = 0o700;
const READ_WRITE = 0o600;

/** Gives the owner back what an agent took away with chmod, below `dir` (bytes), without following a link. */
export async function makeAccessible(dir: Buffer): Promise<void> {
  if (!(await lstat(dir)).isDirectory()) return;
  await grant(dir, OWNER);
  for (const entry of await readdir(dir, { encoding: 'buffer', withFileTypes: true })) {
    const path = Buffer.concat([dir, Buffer.from('/'), entry.name]);
    if (entry.isDirectory()) await makeAccessible(path);
    else if (entry.isFile()) await grant(path, READ_WRITE);
  }
}

async function grant(path: Buffer, bits: number): Promise<void> {
  const mode = (await lstat(path)).mode & 0o7777;
  if ((mode & bits) !== bits) await chmod(path, mode | bits);
}

/** Runs `work`, and once more after `makeAccessible` if it fails: permissions are the only cause that can be mended. */
export async function withAccess<T>(dir: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await makeAccessible(Buffer.from(dir)).catch(() => {
      throw error; // the first cause wins
    });
    return await work();
  }
}
