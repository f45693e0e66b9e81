import type { SectionWriter } from './brief.ts';
import { packDiffs } from './diffs.ts';
import type { BriefInput, Inspiration, Relative } from './input.ts';
import { measured } from './measured.ts';
import { beginning, bounded, fenced, headline } from './text.ts';
import { trajectory } from './trajectory.ts';

const SHOWN = 8;
const STEPS_SHOWN = 4;
/** Bytes for all; each of few gets no more than `MOST`. */
const TOTAL = 22_000;
const MOST = 12_000;

/**
 * Other candidates worth a look, each from where its way parted from the base's: the difference to the base itself would show
 * the base's own work undone.
 */
export const inspirations: SectionWriter = {
  name: 'inspirations',
  title: 'Inspirations',
  limit: 24_000,
  write: ({ inspirations: all, base }) => {
    if (all.length === 0) return null;
    const shown = all.slice(0, SHOWN);
    const share = Math.min(MOST, Math.floor(TOTAL / shown.length));
    const blocks = shown.map((one) => blockOf(one, base, share));
    if (all.length > SHOWN) blocks.push(`${all.length - SHOWN} more are left out.`);
    return `Other candidates that did well. Take ideas, not text. In parentheses: the change to where you start.\n\n${blocks.join('\n\n')}`;
  },
};

function blockOf(one: Inspiration, base: Relative, share: number): string {
  const parts = [`## #${one.ordinal}: ${headline(one.title)}`, measured(one, base), originOf(one, base)];
  if (one.line.length > 1) {
    parts.push(
      `Its steps since then, each with the change to the step before and to where you start:\n\n${beginning(trajectory(one.line, base.objectives, STEPS_SHOWN), 0.15 * share)}`,
    );
  }
  if (one.evidence.trim() !== '')
    parts.push(`What the evaluator showed of it:\n\n${fenced(bounded(one.evidence, 0.18 * share))}`);
  const { text, left } = packDiffs(one.diffs, 0.5 * share);
  if (text !== '') parts.push(`What it changed since then:\n\n${fenced(text, 'diff')}`);
  const more = left + one.moreFiles;
  if (more > 0) parts.push(`${more} more changed ${more === 1 ? 'file is' : 'files are'} left out.`);
  return parts.join('\n\n');
}

function originOf({ line }: Inspiration, base: BriefInput['base']): string {
  const [ancestor] = line;
  if (ancestor === undefined) return '';
  if (ancestor.ordinal === base.ordinal) return 'It goes on from where you start.';
  const where = ancestor.ordinal === 0 ? 'the root' : `#${ancestor.ordinal}, “${headline(ancestor.title)}”`;
  if (line.length === 1) return 'You come from it: what it changed is a part of where you start.';
  return `It parted from your line at ${where}.`;
}
