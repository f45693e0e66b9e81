import type { SectionWriter, StepReport } from './brief.ts';
import { portrait } from './relative.ts';
import { bullets, headline } from './text.ts';

/** The candidate in the worktree: how it was measured. Its diff is left to the lineage; the code itself is there to read. */
export const base: SectionWriter = {
  name: 'base',
  title: 'Where you start',
  write: ({ base: start, steps }) => {
    const name = start.ordinal === 0 ? 'The root' : `Candidate #${start.ordinal}, “${headline(start.title)}”`;
    const parts = [
      `${name} is checked out in the current folder.`,
      portrait({ ...start, diff: '' }, { evidence: 6_000, diff: 0 }),
    ];
    if (steps.length > 0) parts.push(`The steps of the evaluator, in order:\n\n${bullets(steps.map(line))}`);
    return parts.join('\n\n');
  },
};

function line({ name, status, summary }: StepReport): string {
  return summary === '' ? `${name}: ${status}` : `${name}: ${status}, ${headline(summary, 300)}`;
}
