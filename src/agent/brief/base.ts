import type { SectionWriter } from './brief.ts';
import { portrait } from './relative.ts';
import { headline } from './text.ts';

/** The candidate in the worktree: how it was measured. Its diff is left to the lineage; the code itself is there to read. */
export const base: SectionWriter = {
  name: 'base',
  title: 'Where you start',
  write: ({ base: start }) => {
    const name = start.ordinal === 0 ? 'The root' : `Candidate #${start.ordinal}, “${headline(start.title)}”`;
    return `${name} is checked out in the current folder.\n\n${portrait({ ...start, diff: '' }, { evidence: 6_000, diff: 0 })}`;
  },
};
