import type { Failure, SectionWriter } from './brief.ts';
import { bounded, bullets, fenced, headline } from './text.ts';

const SHOWN = 8;
/** So many of the latest are told of in full; of those before them the reason is enough. */
const IN_FULL = 3;
const EVIDENCE_LENGTH = 1_500;
const OUTPUT_LENGTH = 1_000;

/** What was tried from here and did not work, the latest first. */
export const failures: SectionWriter = {
  name: 'failures',
  title: 'Failures to avoid',
  write: (input) => {
    if (input.failures.length === 0) return null;
    return bullets(input.failures.slice(0, SHOWN).map((failure, index) => itemOf(failure, index < IN_FULL)));
  },
};

function itemOf({ title, reason, evidence, output }: Failure, inFull: boolean): string {
  const parts = [`${headline(title)}: ${bounded(reason, 500)}`];
  if (inFull && evidence.trim() !== '') parts.push(fenced(bounded(evidence, EVIDENCE_LENGTH)));
  // Of a crash the output is the evidence, or the end of it.
  const end = output.trim().slice(-OUTPUT_LENGTH);
  if (inFull && end !== '' && !evidence.includes(end))
    parts.push(`The end of its output:\n\n${fenced(end.toWellFormed())}`);
  return parts.join('\n\n');
}
