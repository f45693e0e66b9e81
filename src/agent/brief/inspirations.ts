import type { SectionWriter } from './brief.ts';
export const inspirations: SectionWriter = { name: 'inspirations', title: 'inspirations', write: () => null };
