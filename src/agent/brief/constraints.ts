import type { SectionWriter } from './brief.ts';
import { bullets, prose } from './text.ts';

export const constraints: SectionWriter = {
  name: 'constraints',
  title: 'Constraints',
  limit: 5_000,
  write: (input) =>
    input.constraints.length === 0 ? null : bullets(input.constraints.map((one) => prose(one, 4_000))),
};
