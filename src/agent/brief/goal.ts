import type { SectionWriter } from './brief.ts';
export const goal: SectionWriter = { name: 'goal', title: 'goal', write: () => null };
