/** A fenced block of Markdown: what stands in its first line after the backticks, and the text. */
export interface Block {
  readonly info: string;
  readonly text: string;
  /** The last line before it that is not empty; models like to name a file there. */
  readonly before: string;
}

/** The fenced blocks of an answer, in order. One that is never closed reaches to the end. */
export function blocksOf(answer: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; info: string; before: string; lines: string[] } | null = null;
  let before = '';
  for (const line of answer.split('\n')) {
    const fence = /^(`{3,}|~{3,})\s*(.*)$/.exec(line.trimEnd());
    if (open === null) {
      if (fence?.[1] !== undefined) open = { fence: fence[1], info: (fence[2] ?? '').trim(), before, lines: [] };
      else if (line.trim() !== '') before = line.trim();
    } else if (fence?.[1] !== undefined && fence[2] === '' && fence[1].startsWith(open.fence)) {
      blocks.push({ info: open.info, before: open.before, text: text(open.lines) });
      open = null;
    } else {
      open.lines.push(line);
    }
  }
  if (open !== null) blocks.push({ info: open.info, before: open.before, text: text(open.lines) });
  return blocks;
}

function text(lines: readonly string[]): string {
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
