import type { SectionWriter } from './brief.ts';
import { packDiffs } from './diffs.ts';
import type { KeyFile } from './input.ts';
import { bullets, code, fenced } from './text.ts';

/** Bytes of all diffs, and of one. */
const DIFFS = 12_000;
const ONE = 4_000;
/** Files without a diff that are named. */
const NAMED = 16;

/** Where the work happened: the files that the lineage and the inspirations changed most, with what became of them so far. */
export const files: SectionWriter = {
  name: 'files',
  title: 'Key files',
  limit: 16_000,
  write: ({ files: { shown, more } }) => {
    if (shown.length === 0) return null;
    const blocks: string[] = [];
    const rest: KeyFile[] = [];
    let size = 0;
    for (const file of shown) {
      const block = blockOf(file);
      size += Buffer.byteLength(block);
      if (file.diff !== '' && size <= DIFFS) blocks.push(block);
      else rest.push(file);
    }
    const named = rest.slice(0, NAMED);
    const left = rest.length - named.length + more;
    const list = bullets(named.map((file) => `${code(file.path)}: ${standingOf(file)}`));
    return [
      'The files that the way to where you start and the inspirations changed, the most important first, each with its difference to the root.',
      ...blocks,
      ...(named.length === 0 ? [] : [`${blocks.length === 0 ? '' : 'Without their difference:\n\n'}${list}`]),
      ...(left === 0 ? [] : [`${left} more ${left === 1 ? 'is' : 'are'} left out.`]),
    ].join('\n\n');
  },
};

function blockOf(file: KeyFile): string {
  return `## ${code(file.path)}\n\n${standingOf(file)}\n\n${fenced(packDiffs([file], ONE).text, 'diff')}`;
}

function standingOf({ steps, inspirations, lines }: KeyFile): string {
  const parts: string[] = [];
  if (steps > 0) parts.push(`changed in ${steps} ${steps === 1 ? 'step' : 'steps'} of your line`);
  if (inspirations.length > 0) parts.push(`changed by ${inspirations.map((ordinal) => `#${ordinal}`).join(', ')}`);
  if (lines !== null && lines.added + lines.deleted > 0)
    parts.push(`+${lines.added} −${lines.deleted} lines against the root`);
  return parts.join('; ');
}
