/** Longest line that is kept: an agent that prints a file as one line of JSON is not to fill our memory. */
const MAX_CHARACTERS = 4 * 2 ** 20;

/** Cuts a byte stream into lines. Call it with each piece as it comes, and with nothing at the end. */
export function createLineReader(onLine: (line: string) => void): (piece?: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = '';
  return (piece) => {
    rest += decoder.decode(piece, { stream: piece !== undefined });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.trimEnd());
    if (rest.length > MAX_CHARACTERS) rest = '';
    if (piece !== undefined || rest === '') return;
    onLine(rest.trimEnd());
    rest = '';
  };
}
