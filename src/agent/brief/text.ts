/** The text, or its beginning and end with a note between them, at most about `limit` UTF-16 units. */
export function bounded(text: string, limit: number): string {
  return cutMiddle(text.trim(), limit);
}

/** The same with its white space as it is. */
export function cutMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.ceil(limit / 2);
  const tail = limit - head;
  const note = `\n… ${text.length - limit} characters left out …\n`;
  // A cut may fall between the halves of a surrogate pair.
  return (text.slice(0, head) + note + text.slice(text.length - tail)).toWellFormed();
}

/** A code block that the text cannot close: its fence is longer than any run of backticks inside. */
export function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A bullet list; an item's further lines are indented below its first. */
export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item.trim().replaceAll('\n', '\n  ')}`).join('\n');
}

/** The beginning of a text on one line. */
export function headline(text: string, limit = 120): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`.toWellFormed();
}
