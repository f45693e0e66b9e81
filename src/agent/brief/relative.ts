import type { Relative } from './brief.ts';
import { bounded, fenced } from './text.ts';

/** Objectives as the evaluator gave them: `ratio 1.0123, speed 0.98`. */
export function scores(relative: Relative): string {
  if (relative.objectives === null) return 'no valid evaluation';
  const values = Object.entries(relative.objectives).map(([name, value]) => `${name} ${Number(value.toPrecision(6))}`);
  return values.join(', ');
}

/** What the evaluator said of a candidate, and what the candidate changed; each part bounded. */
export function portrait(relative: Relative, limits: { readonly evidence: number; readonly diff: number }): string {
  const parts = [`Measured: ${scores(relative)}`];
  if (relative.summary !== '') parts.push(bounded(relative.summary, 500));
  if (relative.evidence !== '') parts.push(`Evidence:\n\n${fenced(bounded(relative.evidence, limits.evidence))}`);
  if (relative.diff !== '') parts.push(fenced(bounded(relative.diff, limits.diff), 'diff'));
  return parts.join('\n\n');
}
