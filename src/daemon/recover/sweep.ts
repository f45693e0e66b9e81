import { readdir, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processStart, removeFolder } from '../../process/index.ts';

/** Between making the folder and listening a gateway takes milliseconds. */
const SILENT_MS = 60_000;

/** Removes the folders of gateways that nobody listens to any more. Those of other users are not even looked into. */
export async function sweepGateways(folder = tmpdir()): Promise<number> {
  let removed = 0;
  for (const name of await readdir(folder)) {
    if (!name.startsWith('clade-gateway-')) continue;
    const dir = join(folder, name);
    const info = await stat(dir).catch(() => null); // another process swept it
    if (info === null || info.uid !== process.getuid?.() || Date.now() - info.mtimeMs < SILENT_MS) continue;
    if (await listens(join(dir, 'model.sock'))) continue;
    await rm(dir, { recursive: true, force: true });
    removed += 1;
  }
  return removed;
}

function listens(socket: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const client = connect(socket);
  client.once('connect', () => resolve(true));
  // Refused, or not there: nobody. Anything else says nothing, and the folder stays.
  client.once('error', (error: NodeJS.ErrnoException) =>
    resolve(error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT'),
  );
  return promise.finally(() => client.destroy());
}

/** `check-<pid>-<start>-…`: the workspace of a `clade check`, and whose. */
const CHECK = /^check-(\d+)-(\d+)-/;

/** Removes the workspaces of checks that were killed. */
export async function sweepChecks(state: string): Promise<number> {
  let removed = 0;
  for (const name of await readdir(state)) {
    const [, pid, start] = CHECK.exec(name) ?? [];
    if (pid === undefined || processStart(Number(pid)) === Number(start)) continue;
    await removeFolder(join(state, name));
    removed += 1;
  }
  return removed;
}
