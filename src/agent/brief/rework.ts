import type { SectionWriter } from './brief.ts';
import type { Rework } from './input.ts';
import { bounded, fenced, prose } from './text.ts';

const CAUSES: Readonly<Record<Rework['cause'], string>> = {
  rework:
    'Your change is in the current folder and was refused. Mend it, or undo what cannot be mended; keep its idea where you can.',
  novelty:
    'Your change is in the current folder and does nearly what an earlier candidate does. Turn it into something else, or add what makes it different.',
};

/** Why a coder is asked once more. */
export const rework: SectionWriter = {
  name: 'rework',
  title: 'Once more',
  limit: 9_000,
  write: ({ rework: again }) => {
    if (again === null) return null;
    const parts = [CAUSES[again.cause], prose(again.reason, 500)];
    if (again.evidence.trim() !== '') parts.push(fenced(bounded(again.evidence, 8_000)));
    return parts.join('\n\n');
  },
};
