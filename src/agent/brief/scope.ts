import type { SectionWriter } from './brief.ts';
import { beginning, bullets, code } from './text.ts';

const CODER =
  'Edit the files of the current folder in place and do not commit: whatever differs when you end is your proposal. Nobody can answer questions.';
const PLANNER =
  'You edit nothing: whatever you change in the current folder is thrown away. Your last answer is the plan. Nobody can answer questions.';

/** Which files may change, and what becomes of what the reader does. */
export const scope: SectionWriter = {
  name: 'scope',
  title: 'Scope',
  limit: 5_000,
  write: ({ audience, edit, protect }) => {
    const who = audience === 'planner' ? 'Plan changes only to' : 'Change only';
    const paragraphs = [`${who} files that match these patterns:\n\n${patterns(edit)}`];
    if (protect.length > 0) paragraphs.push(`These stay as they are, whatever else says so:\n\n${patterns(protect)}`);
    return [...paragraphs, audience === 'planner' ? PLANNER : CODER].join('\n\n');
  },
};

function patterns(list: readonly string[]): string {
  return beginning(bullets(list.map(code)), 2_000);
}
