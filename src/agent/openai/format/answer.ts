import type { OpenaiConfig } from '../../../config/index.ts';
import type { Desk } from '../desk.ts';
import { ToolError } from '../tools/index.ts';
import { blocksOf } from './blocks.ts';
import { applyDiff } from './diff.ts';

/** What a model without tools is told about its answer. */
export const INSTRUCTIONS: Readonly<Record<Exclude<OpenaiConfig['format'], 'tools'>, string>> = {
  diff: `Answer with one line that says what you change, then one fenced block \`\`\`diff with a unified diff against the files shown
(--- a/path, +++ b/path, @@ …). Copy context lines exactly. Nothing else.`,
  whole: `Answer with one line that says what you change, then for every file that you change one fenced block whose first line is
\`\`\` followed by the path, and whose content is the whole new file. Nothing else.`,
};

/**
 * Makes the edits that an answer holds, and returns the paths.
 * @throws ToolError when there are none, or when they cannot be made
 */
export async function applyAnswer(format: keyof typeof INSTRUCTIONS, answer: string, desk: Desk): Promise<string[]> {
  const blocks = blocksOf(answer);
  if (format === 'diff') {
    const diffs = blocks.filter(({ text }) => /^(---|diff --git) /m.test(text)).map(({ text }) => text);
    return applyDiff(diffs.length > 0 ? diffs.join('') : answer, desk);
  }
  const files = blocks.flatMap(({ info, before, text }) => {
    const path = pathIn(info) ?? pathIn(before);
    return path === null ? [] : [{ path, text }];
  });
  if (files.length === 0) throw new ToolError('there is no block with the path of a file');
  for (const { path, text } of files) await desk.write(path, text);
  return files.map(({ path }) => desk.plain(path));
}

/** What looks like a path in a line such as "js src/a.js", "**src/a.js**" or "File: src/a.js". */
function pathIn(line: string): string | null {
  const words = line.split(/\s+/).map((word) => word.replace(/^[*`"'(]+|[*`"'):,]+$/g, ''));
  return words.findLast((word) => /^[^\s:]*[\w-]\.\w+$|\//.test(word) && !/^https?:/.test(word)) ?? null;
}
