import { rm } from 'node:fs/promises';
import { InfrastructureError } from '../errors.ts';
import { launch } from './launch.ts';

/**
 * A link is never followed: chattr -R and chmod -R pass over those that they meet, and the first is looked at here. A child of root may
 * have made files immutable; where there is no chattr there are none.
 */
const STUBBORN = `[ -L "$1" ] || { chattr -f -R -i -a "$1" 2> /dev/null; chmod -R u+rwX -- "$1"; }; exec rm -rf -- "$1"`;

/**
 * Removes a folder (or file) with all that lies in it, whatever a child made of it, and never what its links lead to. One that
 * is not there is fine.
 *
 * Node gives up on a path that is longer than the kernel takes, and on a folder that may not be written: either is made in a
 * line of shell. rm(1) goes down step by step, so it is asked then.
 *
 * @throws InfrastructureError when it is still there.
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  } catch (cause) {
    const env = { PATH: '/usr/bin:/bin' };
    const said: Uint8Array[] = [];
    const program = { file: '/bin/sh', argv: ['-c', STUBBORN, 'sh', path], cwd: '/', env, detached: false, outputs: 2 };
    const child = await launch(program, [() => {}, (chunk) => void said.push(chunk)]);
    const exit = await child.exited;
    await child.drained;
    if (exit.code === 0) return;
    throw new InfrastructureError(`${path} cannot be removed: ${Buffer.concat(said).toString().slice(-1_000)}`, {
      cause,
    });
  }
}
