import type { SectionWriter } from './brief.ts';
export const scope: SectionWriter = { name: 'scope', title: 'scope', write: () => null };
