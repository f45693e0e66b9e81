import type { SectionWriter } from './brief.ts';
import { measured } from './measured.ts';
import { headline } from './text.ts';

/** The candidate in the worktree: how it was measured. What it changed is left to the lineage and the files. */
export const base: SectionWriter = {
  name: 'base',
  title: 'Where you start',
  limit: 5_000,
  write: ({ base: start, root }) => {
    const name = root === null ? 'The root' : `Candidate #${start.ordinal}, “${headline(start.title)}”,`;
    const compared = root === null ? '' : ' In parentheses: the change to the root.';
    return `${name} is checked out in the current folder.${compared}\n\n${measured(start, root)}`;
  },
};
