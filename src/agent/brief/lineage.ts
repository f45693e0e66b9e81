import type { SectionWriter } from './brief.ts';
import { scores } from './numbers.ts';
import { headline } from './text.ts';
import { trajectory } from './trajectory.ts';

/** Told one by one; what came before them in one line. */
const SHOWN = 8;

/** How the base came about: the way from the root, step by step. */
export const lineage: SectionWriter = {
  name: 'lineage',
  title: 'How it came about',
  limit: 8_000,
  write: ({ lineage: line, root }) => {
    const [start] = line;
    if (start === undefined || line.length < 2) return null;
    const steps = `${line.length - 1} ${line.length === 2 ? 'step' : 'steps'}`;
    const told = [headline(scores(start.objectives), 400), headline(scores(root?.metrics ?? {}), 400)];
    return [
      `From the root (${told.filter((text) => text !== '').join('; ')}) in ${steps}. In parentheses: the change of each objective to the step before, and to the root.`,
      trajectory(line, start.objectives, SHOWN),
    ].join('\n\n');
  },
};
