/** In a list, or lists in lists, an item may begin with one. */
const FENCE = /^( *)((?:- )*)(`{3,}|~{3,})([^\n]*)$/;

/** Follows the code blocks of a Markdown text line by line. */
export class Fences {
  /** The line that closes the block that is open; null when none is. */
  open: string | null = null;

  see(line: string): void {
    const [, indent = '', bullets = '', marks, rest = ''] = FENCE.exec(line) ?? [];
    if (marks === undefined) return;
    if (this.open !== null) {
      // A longer one of the same sort closes it, too.
      if (bullets === '' && marks.startsWith(this.open.trim()) && rest.trim() === '') this.open = null;
    } else if (!(marks.startsWith('`') && rest.includes('`'))) {
      this.open = indent + ' '.repeat(bullets.length) + marks;
    }
  }
}
