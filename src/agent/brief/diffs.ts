import type { FileChange } from './input.ts';
import { bounded } from './text.ts';

/** As many diffs as there is room for, the first at least, as one; `left` is how many are not among them. */
export function packDiffs(
  changes: readonly FileChange[],
  limit: number,
): { readonly text: string; readonly left: number } {
  const parts: string[] = [];
  let size = 0;
  for (const { diff, truncated } of changes) {
    const text = diff.trimEnd() + (truncated ? '\n… the rest of this file is left out' : '');
    size += Buffer.byteLength(text) + 1;
    if (parts.length > 0 && size > limit) break;
    parts.push(bounded(text, limit));
  }
  return { text: parts.join('\n'), left: changes.length - parts.length };
}
