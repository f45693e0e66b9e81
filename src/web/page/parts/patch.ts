/** The command that hands out the winner, or one candidate, as a proved patch. */
export function patchCommand(name: string, commit?: string): string {
  return `clade patch ${quoted(name)}${commit === undefined ? '' : ` --commit ${commit}`}`;
}

/** For a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./@+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
