import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const exec = promisify(execFile);
const PIECE = 2 ** 20;

/** A small disk of its own. */
export interface SmallDisk extends AsyncDisposable {
  /** Writes until not a byte, or not a file, more goes on it. Returns how it is freed again. */
  fill(with_: 'bytes' | 'files'): Promise<() => Promise<void>>;
}

/** Whether this machine lets us mount. */
export async function canMount(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'clade-mount-'));
  try {
    await using _ = await mountDisk(folder, { mebibytes: 1, files: 16 });
    return true;
  } catch {
    return false; // not root, or a container that may not
  } finally {
    await rmdir(folder);
  }
}

/** A file system in memory, mounted on a folder, with room for so much and so many. */
export async function mountDisk(
  folder: string,
  { mebibytes, files }: { readonly mebibytes: number; readonly files: number },
): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true });
  await exec('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m,nr_inodes=${files}`, 'clade-test', folder]);
  const ballast = join(folder, 'ballast');
  return {
    async fill(with_) {
      await mkdir(ballast);
      await (with_ === 'bytes' ? fillBytes(join(ballast, 'bytes')) : fillFiles(ballast));
      return () => rm(ballast, { recursive: true });
    },
    // Whoever still has it open may keep it; nobody can find it any more.
    [Symbol.asyncDispose]: async () => void (await exec('umount', ['--lazy', folder])),
  };
}

async function fillBytes(path: string): Promise<void> {
  await using file = await open(path, 'a');
  for (let piece = PIECE; piece >= 1; ) {
    if (await isFull(file.write(Buffer.alloc(piece)))) piece = Math.floor(piece / 16);
  }
}

async function fillFiles(folder: string): Promise<void> {
  for (let number = 0; !(await isFull(writeFile(join(folder, `${number}`), ''))); ) number += 1;
}

async function isFull(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing;
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return true;
    throw error;
  }
}
