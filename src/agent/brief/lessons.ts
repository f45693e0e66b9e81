import type { SectionWriter } from './brief.ts';
import { prose } from './text.ts';

/** What a model made of all that was tried so far. */
export const lessons: SectionWriter = {
  name: 'lessons',
  title: 'Lessons so far',
  limit: 6_500,
  write: (input) => (input.lessons.trim() === '' ? null : prose(input.lessons, 6_000)),
};
