import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Registration } from './registration.ts';

interface Reading {
  readonly commit: string;
  /** SHA-256 of the index file. */
  readonly digest: string;
}

/**
 * By index file, what it was when it was read from a commit: while its bytes are the same it need not be read again, nor written as
 * a tree to prove it. In the memory of this process, where no agent can change it.
 */
const readings = new Map<string, Reading>();

export async function rememberIndex({ index }: Registration, commit: string): Promise<void> {
  readings.set(index, { commit, digest: await digestOf(index) });
}

export function forgetIndex({ index }: Registration): void {
  readings.delete(index);
}

/** Whether the index still is as this process read it from that commit. */
export async function isReadFrom({ index }: Registration, commit: string): Promise<boolean> {
  const reading = readings.get(index);
  return reading?.commit === commit && existsSync(index) && reading.digest === (await digestOf(index));
}

async function digestOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}
