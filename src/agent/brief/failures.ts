import type { SectionWriter } from './brief.ts';
import { bounded, bullets, headline } from './text.ts';

const SHOWN = 8;

/** What was tried from here and did not work, the latest last. */
export const failures: SectionWriter = {
  name: 'failures',
  title: 'Failures to avoid',
  write: (input) => {
    if (input.failures.length === 0) return null;
    const items = input.failures
      .slice(-SHOWN)
      .map(({ title, reason }) => `${headline(title)}: ${bounded(reason, 500)}`);
    return bullets(items);
  },
};
