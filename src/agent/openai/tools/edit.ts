import { z } from 'zod';
import { applyDiff } from '../format/diff.ts';
import { defineTool } from './define.ts';
import { ToolError } from './tool.ts';

export const replace = defineTool({
  name: 'replace',
  description: 'Replaces a text in a file by another. The old text must be there exactly once, with its white space.',
  input: z.object({ path: z.string(), old: z.string().min(1), new: z.string() }),
  async run({ path, old, new: fresh }, desk) {
    const text = await desk.read(path);
    const at = text.indexOf(old);
    if (at === -1) throw new ToolError(`the old text is not in ${path}; read the file again`);
    if (text.indexOf(old, at + 1) !== -1) {
      throw new ToolError(`the old text is in ${path} more than once; take in more lines around it`);
    }
    await desk.write(path, text.slice(0, at) + fresh + text.slice(at + old.length));
    return { text: `replaced in ${path}`, edited: [desk.plain(path)] };
  },
});

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Makes a file, or replaces the whole of one.',
  input: z.object({ path: z.string(), text: z.string() }),
  async run({ path, text }, desk) {
    await desk.write(path, text);
    return { text: `wrote ${path}`, edited: [desk.plain(path)] };
  },
});

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes a file.',
  input: z.object({ path: z.string() }),
  async run({ path }, desk) {
    await desk.remove(path);
    return { text: `deleted ${path}`, edited: [desk.plain(path)] };
  },
});

export const applyPatch = defineTool({
  name: 'apply_patch',
  description: 'Applies a unified diff (--- a/path, +++ b/path, @@ …) to one or more files.',
  input: z.object({ patch: z.string().min(1) }),
  async run({ patch }, desk) {
    const edited = await applyDiff(patch, desk);
    return { text: `patched ${edited.join(', ')}`, edited };
  },
});
