import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, resolve } from 'node:path';

/**
 * Where `command` lies, by the rules of execvp(3): with a slash it is a path (from `cwd`), else the first executable of
 * that name on `path`. Null when there is none.
 */
export async function findExecutable(command: string, path: string, cwd: string): Promise<string | null> {
  const places = command.includes('/') ? [cwd] : path.split(delimiter).filter((entry) => entry !== '');
  for (const place of places) {
    const file = resolve(cwd, place, command);
    if (await isExecutable(file)) return file;
  }
  return null;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    // Not there or not ours to run: either way the search goes on.
    return false;
  }
}
