import type { SectionWriter } from './brief.ts';
export const constraints: SectionWriter = { name: 'constraints', title: 'constraints', write: () => null };
