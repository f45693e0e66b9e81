import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { InfrastructureError } from '../errors.ts';
import { launch, removeFolder } from '../process/index.ts';
import { adopt, type Bundle } from './bundle.ts';
import { beginCopy } from './incoming.ts';

/** The pinned evaluator as one archive, for another machine. @throws InfrastructureError when it cannot be made. */
export async function* packBundle({ dir }: Bundle, scratch: string): AsyncGenerator<Uint8Array> {
  await mkdir(scratch, { recursive: true });
  const file = join(scratch, 'bundle.tar');
  try {
    await tar(['-cf', file, '-C', dir, '.']);
    yield* createReadStream(file);
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Puts an archive in the place of the pinned evaluator, if its content is what the hash says.
 * @throws InfrastructureError when it is not, or cannot be unpacked.
 */
export async function unpackBundle(archive: AsyncIterable<Uint8Array>, { dir, hash }: Bundle): Promise<void> {
  const into = dirname(dir);
  await mkdir(into, { recursive: true });
  const copy = await beginCopy(into);
  // Beside it: a bundle's folders are read-only as soon as they are there.
  const file = `${copy}.tar`;
  try {
    await pipeline(archive, createWriteStream(file));
    await tar(['-xf', file, '-C', copy, '--no-same-owner']);
    await adopt(copy, dir, hash);
  } finally {
    await rm(file, { force: true });
    await removeFolder(copy);
  }
}

async function tar(argv: readonly string[]): Promise<void> {
  const said: Uint8Array[] = [];
  const child = await launch(
    { file: 'tar', argv, cwd: '/', env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' }, detached: false, outputs: 2 },
    [() => {}, (chunk) => void said.push(chunk)],
  );
  if (child.pid === null) throw new InfrastructureError(`tar could not be started: ${child.failure}`);
  const { code } = await child.exited;
  await child.drained;
  if (code !== 0) throw new InfrastructureError(`tar failed: ${Buffer.concat(said).toString().trim()}`);
}
