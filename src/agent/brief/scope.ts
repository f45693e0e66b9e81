import type { SectionWriter } from './brief.ts';
import { bounded, bullets } from './text.ts';

/** Which files may change, and what becomes of the changes. */
export const scope: SectionWriter = {
  name: 'scope',
  title: 'Scope',
  write: (input) => {
    const paragraphs = [`Change only files that match these patterns:\n\n${patterns(input.edit)}`];
    if (input.protect.length > 0)
      paragraphs.push(`Never change these, whatever else says so:\n\n${patterns(input.protect)}`);
    paragraphs.push(
      'Edit the files of the current folder in place and do not commit: whatever differs when you end is your proposal. Nobody can answer questions.',
    );
    return paragraphs.join('\n\n');
  },
};

function patterns(list: readonly string[]): string {
  return bounded(bullets(list.map((pattern) => `\`${pattern}\``)), 2_000);
}
