import { lstat } from 'node:fs/promises';
import { isAbsolute, join, normalize } from 'node:path';

/**
 * The evaluator's command with its own files found in the pinned bundle (the command itself runs in the checkout):
 *
 * - a command that starts with `./` is a file of the bundle; any other is looked up on PATH or is absolute;
 * - an argument that names a file of the bundle by its relative path is replaced by that file's absolute path
 *   (`node evaluate.js`), all others stay as written. An argument that must not be replaced can be written `--x=evaluate.js`.
 */
export async function resolveCommand(
  command: readonly string[],
  bundle: string,
): Promise<readonly [string, ...string[]]> {
  const [program = '', ...rest] = command;
  const first = program.startsWith('./') ? join(bundle, program) : program;
  return [first, ...(await Promise.all(rest.map((argument) => inBundle(argument, bundle))))];
}

async function inBundle(argument: string, bundle: string): Promise<string> {
  const path = normalize(argument);
  if (argument === '' || isAbsolute(path) || path.startsWith('..') || argument.startsWith('-')) return argument;
  const file = join(bundle, path);
  return (await isFile(file)) ? file : argument;
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch {
    // No such path (or a name no file can have): then it is an ordinary argument.
    return false;
  }
}
