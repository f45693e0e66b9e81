import type { SectionWriter } from './brief.ts';
import { portrait } from './relative.ts';
import { headline } from './text.ts';

/** Other candidates worth a look, each with its changes relative to the base. */
export const inspirations: SectionWriter = {
  name: 'inspirations',
  title: 'Inspirations',
  write: (input) => {
    if (input.inspirations.length === 0) return null;
    const blocks = input.inspirations.map(
      (one) => `## #${one.ordinal}: ${headline(one.title)}\n\n${portrait(one, { evidence: 2_000, diff: 8_000 })}`,
    );
    return `Other candidates that did well, as changes relative to where you start. Take ideas, not text.\n\n${blocks.join('\n\n')}`;
  },
};
