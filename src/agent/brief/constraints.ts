import type { SectionWriter } from './brief.ts';
import { bounded, bullets } from './text.ts';

export const constraints: SectionWriter = {
  name: 'constraints',
  title: 'Constraints',
  write: (input) => (input.constraints.length === 0 ? null : bounded(bullets(input.constraints), 4_000)),
};
