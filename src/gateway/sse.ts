/** Longest event that is looked into; one that is longer carries text and no usage. */
const MAX_EVENT_CHARACTERS = 8 * 2 ** 20;

/**
 * Cuts a byte stream of server-sent events (WHATWG HTML, §9.2) into the `data` of its events. Call it with each piece as it
 * comes, and with nothing at the end.
 */
export function createSseReader(onData: (data: string) => void): (piece?: Uint8Array) => void {
  const decoder = new TextDecoder();
  let line = '';
  let data: string[] = [];
  const dispatch = (): void => {
    if (data.length > 0) onData(data.join('\n'));
    data = [];
  };
  const take = (text: string): void => {
    if (text === '') dispatch();
    else if (text.startsWith('data:')) data.push(text.slice(text.charAt(5) === ' ' ? 6 : 5));
  };
  return (piece) => {
    line += decoder.decode(piece, { stream: piece !== undefined });
    const lines = line.split(/\r\n|\n|\r(?!$)/);
    line = lines.pop() ?? '';
    for (const text of lines) take(text);
    if (piece === undefined) {
      take(line.replace(/\r$/, ''));
      line = '';
      dispatch();
    }
    if (line.length > MAX_EVENT_CHARACTERS) line = '';
  };
}
