import type { SectionWriter } from './brief.ts';
import { bullets, code, prose } from './text.ts';

/** What is wanted, and the numbers that decide. */
export const goal: SectionWriter = {
  name: 'goal',
  title: 'Goal',
  limit: 9_000,
  write: (input) => {
    const objectives = input.objectives.map(({ name, direction }) => `${direction} ${code(name)}`);
    return `${prose(input.goal, 8_000)}\n\nAn evaluator decides, on these objectives; the first counts most:\n\n${bullets(objectives)}`;
  },
};
