import { constants, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative, sep } from 'node:path';
import type { Task } from '../task.ts';
import { ToolError } from './tools/tool.ts';

/** Larger files are not read: they are data or generated, and would fill the context. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The worktree as the tools of the model see it: text files by relative path, nothing outside, edits in scope alone. */
export interface Desk {
  readonly task: Task;
  /** @throws ToolError when there is no such text file */
  read(path: string): Promise<string>;
  /** Null when there is none. */
  find(path: string): Promise<string | null>;
  /** Makes or replaces a file. @throws ToolError outside the scope */
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** The path as Git has it. @throws ToolError when it leads out of the worktree or into .git */
  plain(path: string): string;
}

export function openDesk(task: Task): Desk {
  const root = realpathSync(task.worktree);

  const plain = (path: string): string => {
    const short = isAbsolute(path) ? relative(root, path) : normalize(path);
    const clean = short.split(sep).join('/').replace(/^\.\//, '');
    if (clean === '..' || clean.startsWith('../') || isAbsolute(clean)) {
      throw new ToolError(`${path} is outside the repository`);
    }
    if (clean === '.git' || clean.startsWith('.git/')) throw new ToolError('.git is not yours to look at');
    return clean === '' ? '.' : clean;
  };

  /** The place of a file none of whose folders is a link, which could lead anywhere. */
  const placeOf = (path: string): string => {
    const place = join(root, plain(path));
    for (let folder = dirname(place); folder !== root && folder.length > root.length; folder = dirname(folder)) {
      if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new ToolError(`${path} lies behind a symbolic link`);
      }
    }
    return place;
  };

  const inScope = (path: string): string => {
    const short = plain(path);
    if (!task.editable(short)) throw new ToolError(`${short} may not be changed: it is outside the scope of this task`);
    return short;
  };

  const find = async (path: string): Promise<string | null> => {
    const place = placeOf(path);
    const status = lstatSync(place, { throwIfNoEntry: false });
    if (status === undefined) return null;
    if (!status.isFile()) throw new ToolError(`${path} is not a regular file`);
    if (status.size > MAX_FILE_BYTES) throw new ToolError(`${path} has ${status.size} bytes, too many to read`);
    await using file = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
    const bytes = await file.readFile();
    const text = bytes.toString('utf8');
    if (bytes.includes(0) || !Buffer.from(text).equals(bytes)) throw new ToolError(`${path} is not a text file`);
    return text;
  };

  return {
    task,
    plain,
    find,
    async read(path) {
      const text = await find(path);
      if (text === null) throw new ToolError(`there is no file ${path}`);
      return text;
    },
    async write(path, text) {
      inScope(path);
      const place = placeOf(path);
      if (lstatSync(place, { throwIfNoEntry: false })?.isFile() === false) {
        throw new ToolError(`${path} is not a regular file`);
      }
      mkdirSync(dirname(place), { recursive: true });
      const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
      await using file = await open(place, flags, 0o666);
      await file.writeFile(text);
    },
    async remove(path) {
      inScope(path);
      const place = placeOf(path);
      if (lstatSync(place, { throwIfNoEntry: false })?.isFile() !== true)
        throw new ToolError(`there is no file ${path}`);
      await unlink(place);
    },
  };
}
