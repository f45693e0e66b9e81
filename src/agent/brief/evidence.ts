import type { SectionWriter } from './brief.ts';
import type { StepReport } from './input.ts';
import { bounded, bullets, fenced, headline } from './text.ts';

const EVIDENCE_BYTES = 6_000;
const STEPS_BYTES = 3_000;
const STEPS_SHOWN = 32;

/** What the evaluator showed of the base, in all and step by step. */
export const evidence: SectionWriter = {
  name: 'evidence',
  title: 'What the evaluator showed of it',
  limit: 10_000,
  write: ({ base, steps }) => {
    const parts: string[] = [];
    if (base.evidence.trim() !== '') parts.push(fenced(bounded(base.evidence, EVIDENCE_BYTES)));
    if (steps.length > 0) {
      const share = Math.floor(STEPS_BYTES / Math.min(steps.length, STEPS_SHOWN));
      const told = steps.slice(0, STEPS_SHOWN).map((step) => itemOf(step, base.evidence, share));
      const more = steps.length - told.length;
      parts.push(`The steps of the evaluator, in order:\n\n${bullets(told)}${more > 0 ? `\n- and ${more} more` : ''}`);
    }
    return parts.length === 0 ? null : parts.join('\n\n');
  },
};

/** The evidence of a whole evaluation is that of its steps, unless something cut it: it is not told twice. */
function itemOf({ name, status, summary, evidence }: StepReport, whole: string, limit: number): string {
  const line = `step ${headline(name, 60)}: ${status}${summary.trim() === '' ? '' : `, ${headline(summary, 300)}`}`;
  const own = evidence.trim();
  return own === '' || whole.includes(own) ? line : `${line}\n\n${fenced(bounded(own, limit))}`;
}
