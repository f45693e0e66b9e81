/** A run of changed lines with the unchanged ones around it. */
export interface Hunk {
  /** The lines with their marks ` `, `-` and `+`, so that the text says which way it went. */
  readonly text: string;
  readonly added: number;
  readonly deleted: number;
}

export interface ChangedFile {
  /** As the diff writes it: Git quotes unusual names. The new path of a rename. */
  readonly path: string;
  readonly status: 'added' | 'deleted' | 'modified';
  /** None for a binary file, a rename without an edit, or a change of mode. */
  readonly hunks: readonly Hunk[];
}

const HUNK = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * The changed files of a unified diff as Git writes it (`diff --git` headers). Lines are counted as the hunk headers say, so
 * content that looks like a header is content. A diff that was cut short ends with the hunk that was cut.
 */
export function parseDiff(diff: string): ChangedFile[] {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const files: { path: string; status: ChangedFile['status']; hunks: Hunk[] }[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const file = files.at(-1);
    const header = HUNK.exec(line);
    if (line.startsWith('diff --git ')) {
      files.push({ path: line.slice(line.lastIndexOf(' b/') + 3), status: 'modified', hunks: [] });
    } else if (file !== undefined && header !== null) {
      const { hunk, next } = readHunk(lines, at + 1, Number(header[1] ?? 1), Number(header[2] ?? 1));
      file.hunks.push(hunk);
      at = next;
      continue;
    } else if (file !== undefined) {
      if (line.startsWith('new file mode ')) file.status = 'added';
      if (line.startsWith('deleted file mode ')) file.status = 'deleted';
      if (line.startsWith('+++ b/')) file.path = line.slice(6).replace(/\t$/, '');
    }
    at++;
  }
  return files;
}

function readHunk(lines: readonly string[], start: number, oldLines: number, newLines: number) {
  let [oldLeft, newLeft, added, deleted, at] = [oldLines, newLines, 0, 0, start];
  for (; at < lines.length && (oldLeft > 0 || newLeft > 0); at++) {
    const mark = lines[at]?.[0];
    if (mark === '+') added++;
    if (mark === '-') deleted++;
    if (mark !== '+' && mark !== '\\') oldLeft--;
    if (mark !== '-' && mark !== '\\') newLeft--;
  }
  const text = `${lines.slice(start, at).join('\n')}\n`;
  return { hunk: { text, added, deleted }, next: at };
}
