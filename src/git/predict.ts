import { createHash } from 'node:crypto';
import type { Hub } from './hub.ts';
import { readContent } from './object.ts';
import { decodePath, encodePath } from './path.ts';

interface Entry {
  readonly mode: string;
  readonly oid: string;
}

const DIRECTORY = '40000';
const FILE = '100644';

/**
 * The id that the tree would have with some files written over: what tells a proposal that was seen from a new one before
 * anything is committed. Nothing is written, and only the trees on the way to the files are read. `files` maps paths to
 * whole contents; a file that is there keeps its mode, a new one is a plain file.
 */
export async function predictTree(hub: Hub, tree: string, files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const entries = await readTree(hub, tree);
  const below = new Map<string, Map<string, Uint8Array>>();
  for (const [path, bytes] of files) {
    const slash = path.indexOf('/');
    const name = slash === -1 ? path : path.slice(0, slash);
    if (slash === -1) {
      const mode = entries.get(name)?.mode;
      entries.set(name, {
        mode: mode === undefined || mode === DIRECTORY ? FILE : mode,
        oid: objectId(tree, 'blob', bytes),
      });
      continue;
    }
    const inner = below.get(name) ?? new Map<string, Uint8Array>();
    below.set(name, inner.set(path.slice(slash + 1), bytes));
  }
  for (const [name, inner] of below) {
    const known = entries.get(name);
    const start = known?.mode === DIRECTORY ? known.oid : emptyTree(tree);
    entries.set(name, { mode: DIRECTORY, oid: await predictTree(hub, start, inner) });
  }
  return objectId(tree, 'tree', encode(entries));
}

async function readTree(hub: Hub, oid: string): Promise<Map<string, Entry>> {
  if (oid === emptyTree(oid)) return new Map();
  return decode(await readContent(hub, 'tree', oid), oid.length / 2);
}

/** `<mode> <name>\0<id>` again and again. */
function decode(bytes: Buffer, idLength: number): Map<string, Entry> {
  const entries = new Map<string, Entry>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    const oid = bytes.toString('hex', end + 1, end + 1 + idLength);
    entries.set(decodePath(bytes.subarray(space + 1, end)), { mode: bytes.toString('latin1', at, space), oid });
    at = end + 1 + idLength;
  }
  return entries;
}

/** Git orders names as bytes, a directory as if its name ended in a slash. */
function encode(entries: ReadonlyMap<string, Entry>): Buffer {
  const rows = [...entries].map(([name, { mode, oid }]) => ({
    key: Buffer.concat([encodePath(name), Buffer.from(mode === DIRECTORY ? '/' : '')]),
    row: Buffer.concat([Buffer.from(`${mode} `), encodePath(name), Buffer.from([0]), Buffer.from(oid, 'hex')]),
  }));
  rows.sort((a, b) => Buffer.compare(a.key, b.key));
  return Buffer.concat(rows.map(({ row }) => row));
}

/** The id that Git gives an object, in the format (SHA-1 or SHA-256) of a sibling id. */
export function objectId(sibling: string, type: 'blob' | 'tree', bytes: Uint8Array): string {
  return createHash(sibling.length === 64 ? 'sha256' : 'sha1')
    .update(`${type} ${bytes.byteLength}\0`)
    .update(bytes)
    .digest('hex');
}

function emptyTree(sibling: string): string {
  return objectId(sibling, 'tree', new Uint8Array());
}
