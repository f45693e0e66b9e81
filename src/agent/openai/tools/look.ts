import { z } from 'zod';
import { defineTool } from './define.ts';
import { ToolError } from './tool.ts';

const LISTED = 400;
const MATCHES = 100;
const SEARCHED_FILES = 5_000;
const LINE_CHARACTERS = 300;
const READ_LINES = 800;

export const listFiles = defineTool({
  name: 'list_files',
  description: 'Lists the files of the repository, or of one of its folders.',
  input: z.object({ folder: z.string().default('.').describe('Relative to the repository.') }),
  async run({ folder }, desk) {
    const below = desk.plain(folder);
    const all = (await desk.task.files()).filter((path) => below === '.' || path.startsWith(`${below}/`));
    if (all.length === 0) throw new ToolError(`there is no file below ${folder}`);
    const more = all.length > LISTED ? `\n… and ${all.length - LISTED} more` : '';
    return { text: all.slice(0, LISTED).join('\n') + more };
  },
});

export const readFile = defineTool({
  name: 'read_file',
  description: 'Reads a text file, or some of its lines, with line numbers.',
  input: z.object({
    path: z.string(),
    from: z.int().min(1).default(1).describe('First line.'),
    lines: z.int().min(1).max(READ_LINES).default(READ_LINES),
  }),
  async run({ path, from, lines }, desk) {
    const all = (await desk.read(path)).split('\n');
    const shown = all.slice(from - 1, from - 1 + lines);
    if (shown.length === 0) throw new ToolError(`${path} has ${all.length} lines`);
    const numbered = shown.map((line, index) => `${from + index}\t${line}`);
    const left = all.length - (from - 1 + shown.length);
    return { text: numbered.join('\n') + (left > 0 ? `\n… ${left} more lines` : '') };
  },
});

export const search = defineTool({
  name: 'search',
  description: 'Finds the lines of the repository that match a regular expression (JavaScript syntax).',
  input: z.object({ pattern: z.string().min(1), folder: z.string().default('.') }),
  async run({ pattern, folder }, desk, signal) {
    const below = desk.plain(folder);
    const expression = compile(pattern);
    const found: string[] = [];
    const files = (await desk.task.files()).filter((path) => below === '.' || path.startsWith(`${below}/`));
    for (const path of files.slice(0, SEARCHED_FILES)) {
      signal.throwIfAborted();
      // What cannot be read, being binary or large, holds nothing to be found.
      const text = await desk.find(path).catch(() => null);
      for (const [index, line] of text?.split('\n').entries() ?? []) {
        if (!expression.test(line.slice(0, LINE_CHARACTERS))) continue;
        found.push(`${path}:${index + 1}: ${line.slice(0, LINE_CHARACTERS)}`);
        if (found.length === MATCHES) return { text: `${found.join('\n')}\n… and perhaps more` };
      }
    }
    return { text: found.length === 0 ? 'nothing matches' : found.join('\n') };
  },
});

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch (cause) {
    throw new ToolError(`not a regular expression: ${pattern}`, { cause });
  }
}
