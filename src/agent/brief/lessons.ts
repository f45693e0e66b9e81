import type { SectionWriter } from './brief.ts';
import { bounded } from './text.ts';

/** What a model made of all that was tried so far. */
export const lessons: SectionWriter = {
  name: 'lessons',
  title: 'Lessons so far',
  write: (input) => (input.lessons.trim() === '' ? null : bounded(input.lessons, 6_000)),
};
