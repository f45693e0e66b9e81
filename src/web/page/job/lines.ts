export type LineKind = 'add' | 'del' | 'same' | 'head';

/**
 * What each line of a unified diff is, for its colour. The numbers of a hunk's header say how long it is: a deleted line of SQL or Lua
 * begins with `--`, and looks like the name of a file otherwise.
 */
export function kindsOf(lines: readonly string[]): LineKind[] {
  let old = 0;
  let fresh = 0;
  return lines.map((line) => {
    if (old + fresh === 0) {
      const [, before, after] = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
      if (line.startsWith('@@ ')) [old, fresh] = [Number(before ?? 1), Number(after ?? 1)];
      return 'head';
    }
    if (line.startsWith('\\')) return 'head';
    if (!line.startsWith('+')) old -= 1;
    if (!line.startsWith('-')) fresh -= 1;
    if (line.startsWith('+')) return 'add';
    return line.startsWith('-') ? 'del' : 'same';
  });
}
