import { applyPatch, parsePatch } from 'diff';
import type { Desk } from '../desk.ts';
import { ToolError } from '../tools/tool.ts';

/** Lines of context that may differ: models count and copy badly. */
const FUZZ = 2;

/**
 * Applies a unified diff to the desk: all of it or nothing. Returns the paths, in the order of the diff.
 * @throws ToolError that says which file and why
 */
export async function applyDiff(text: string, desk: Desk): Promise<string[]> {
  const results: { path: string; text: string | null }[] = [];
  for (const file of parse(text)) {
    const [before, after] = [pathOf(file.oldFileName), pathOf(file.newFileName)];
    const path = after ?? before;
    if (path === null) throw new ToolError('a part of the diff names no file');
    const old = before === null ? '' : await desk.read(before);
    if (after === null) {
      results.push({ path, text: null });
      continue;
    }
    const patched = applyPatch(old, file, { fuzzFactor: FUZZ, autoConvertLineEndings: true });
    if (patched === false) throw new ToolError(`the diff does not apply to ${path}; read the file again`);
    results.push({ path, text: patched });
    if (before !== null && before !== after) results.push({ path: before, text: null });
  }
  if (results.length === 0) throw new ToolError('there is no diff in it');
  for (const { path, text: whole } of results) {
    if (whole === null) await desk.remove(path);
    else await desk.write(path, whole);
  }
  return results.map(({ path }) => desk.plain(path));
}

function parse(text: string) {
  try {
    return parsePatch(text).filter(
      ({ hunks, oldFileName, newFileName }) => hunks.length > 0 || oldFileName || newFileName,
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ToolError(`not a unified diff: ${reason}`, { cause });
  }
}

/** `a/src/x.c` → `src/x.c`; null for /dev/null. */
function pathOf(name: string | undefined): string | null {
  if (name === undefined || name === '/dev/null') return null;
  return name.replace(/^[ab]\//, '');
}
