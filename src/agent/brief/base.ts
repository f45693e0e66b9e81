import type { SectionWriter } from './brief.ts';
export const base: SectionWriter = { name: 'base', title: 'base', write: () => null };
