import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hub } from './hub.ts';
import { encodePath } from './path.ts';
import { act, line } from './run.ts';

/** What a path is to hold: a blob that is there, bytes that become one, or nothing. */
export type Placed =
  | { readonly mode: string; readonly blob: string }
  | { readonly mode: string; readonly bytes: Uint8Array }
  | null;

/**
 * Writes the tree that `base` (a commit or tree) becomes with some of its files replaced, and returns its id. No file is
 * written but in the hub. A path must not be placed below another one that is placed too.
 */
export async function composeTree(hub: Hub, base: string, files: ReadonlyMap<string, Placed>): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'clade-compose-'));
  try {
    const site = { gitDir: hub.dir, index: join(scratch, 'index') };
    await act(site, ['read-tree', base]);
    const records: Buffer[] = [];
    for (const [path, placed] of files) {
      // The mode 0 takes a path out of the index; the id beside it is not looked at.
      const [mode, id] = placed === null ? ['0', '0'.repeat(base.length)] : [placed.mode, await blobOf(hub, placed)];
      records.push(Buffer.from(`${mode} ${id}\t`), encodePath(path), Buffer.of(0));
    }
    await act(site, ['update-index', '-z', '--index-info'], { stdin: Buffer.concat(records) });
    return await line(site, ['write-tree']);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function blobOf(hub: Hub, placed: Exclude<Placed, null>): Promise<string> {
  if ('blob' in placed) return placed.blob;
  const argv = ['hash-object', '-w', '--no-filters', '--stdin'];
  return (await act({ gitDir: hub.dir }, argv, { stdin: placed.bytes })).stdout.toString().trim();
}
