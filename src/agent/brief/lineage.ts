import type { SectionWriter } from './brief.ts';
import { scores } from './relative.ts';
import { bullets, headline } from './text.ts';

const SHOWN = 12;

/** How the base came about, one line an ancestor, the oldest first; of a long line only the latest. */
export const lineage: SectionWriter = {
  name: 'lineage',
  title: 'How it came about',
  write: (input) => {
    if (input.lineage.length === 0) return null;
    const lines = input.lineage.slice(-SHOWN).map((one) => `#${one.ordinal} ${headline(one.title)}: ${scores(one)}`);
    const earlier = input.lineage.length - lines.length;
    return (earlier > 0 ? `${earlier} earlier ones are left out.\n\n` : '') + bullets(lines);
  },
};
