import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { processStart } from '../../process/index.ts';

const addressSchema = z.strictObject({
  url: z.string(),
  token: z.string(),
  pid: z.number(),
  /** Start time of the process, so that a later one with the same pid is not taken for it. */
  start: z.number().nullable(),
});

/** Where the process that serves a workspace listens, and the token that lets a command write. */
export type Address = z.infer<typeof addressSchema>;

export function createToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Leaves the address where commands of the same user find it. */
export async function publishAddress(file: string, served: { url: string; token: string }): Promise<void> {
  const address: Address = { ...served, pid: process.pid, start: processStart(process.pid) ?? null };
  await mkdir(dirname(file), { recursive: true });
  // Renamed into place: nobody reads half of it, and one that is there with other permissions does not keep them.
  const half = `${file}.${process.pid}`;
  await writeFile(half, JSON.stringify(address), { mode: 0o600 });
  await rename(half, file);
}

export async function withdrawAddress(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** The address of a process that is alive; null when nobody serves the workspace. */
export async function findAddress(file: string): Promise<Address | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  const parsed = addressSchema.safeParse(safeJson(text));
  if (!parsed.success) return null;
  const { pid, start } = parsed.data;
  return (processStart(pid) ?? null) === start && start !== null ? parsed.data : null;
}

/** A file that a killed process left half written is no address. */
function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
