import type { SectionWriter } from './brief.ts';
import type { Failure } from './input.ts';
import { bounded, bullets, fenced, headline, prose } from './text.ts';

const SHOWN = 8;
/** So many of the latest are told of in full; of those before them the reason is enough. */
const IN_FULL = 3;
const EVIDENCE_BYTES = 1_500;
const OUTPUT_BYTES = 1_000;
const TITLES = 3;

/** What was tried from here and did not work, the latest first; what failed in the same way is told once. */
export const failures: SectionWriter = {
  name: 'failures',
  title: 'Failures to avoid',
  limit: 11_000,
  write: (input) => {
    if (input.failures.length === 0) return null;
    const kinds = [
      ...Map.groupBy(input.failures, ({ reason, evidence, output }) =>
        JSON.stringify([reason, evidence, output]),
      ).values(),
    ];
    const items = kinds.slice(0, SHOWN).map((equal, index) => itemOf(equal, index < IN_FULL));
    const left = kinds.length - items.length;
    return `Tried from here:\n\n${bullets(items)}${left > 0 ? `\n\n${left} older ${left === 1 ? 'one is' : 'ones are'} left out.` : ''}`;
  },
};

function itemOf(equal: readonly Failure[], inFull: boolean): string {
  const [first] = equal;
  if (first === undefined) return '';
  const { reason, evidence, output } = first;
  const parts = [`${titlesOf(equal)}:${reasonOf(reason)}`];
  if (inFull && evidence.trim() !== '') parts.push(fenced(bounded(evidence, EVIDENCE_BYTES)));
  // Of a crash the output is the evidence, or the end of it.
  const end = endOf(output.trim());
  if (inFull && end !== '' && !evidence.includes(end)) parts.push(`The end of its output:\n\n${fenced(end)}`);
  return parts.join('\n\n');
}

/** Several lines begin on one of their own: there may be a code block among them. */
function reasonOf(reason: string): string {
  return reason.trim().includes('\n') ? `\n\n${prose(reason, 500)}` : ` ${headline(reason, 500)}`;
}

function titlesOf(equal: readonly Failure[]): string {
  const titles = [...new Set(equal.map(({ title }) => `“${headline(title)}”`))];
  const shown = titles.slice(0, TITLES).join(', ') + (titles.length > TITLES ? ', …' : '');
  return equal.length === 1 ? shown : `${equal.length} times (${shown})`;
}

function endOf(output: string): string {
  const bytes = Buffer.from(output);
  return bytes
    .subarray(Math.max(0, bytes.length - OUTPUT_BYTES))
    .toString()
    .replace(/^\uFFFD+/, '');
}
