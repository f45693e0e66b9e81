import type { SectionWriter } from './brief.ts';
export const failures: SectionWriter = { name: 'failures', title: 'failures', write: () => null };
