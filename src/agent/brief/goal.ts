import type { SectionWriter } from './brief.ts';
import { bounded, bullets } from './text.ts';

/** What is wanted, and the numbers that decide. */
export const goal: SectionWriter = {
  name: 'goal',
  title: 'Goal',
  write: (input) => {
    const objectives = input.objectives.map(({ name, direction }) => `${direction} \`${name}\``);
    return `${bounded(input.goal, 8_000)}\n\nAn evaluator decides, on these objectives; the first counts most:\n\n${bullets(objectives)}`;
  },
};
