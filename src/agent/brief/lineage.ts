import type { SectionWriter } from './brief.ts';
export const lineage: SectionWriter = { name: 'lineage', title: 'lineage', write: () => null };
