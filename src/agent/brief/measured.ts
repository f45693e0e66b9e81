import type { Relative } from './input.ts';
import { change, scores, value } from './numbers.ts';
import { headline, prose } from './text.ts';

/** Objectives with their intervals, metrics and the evaluator's one line, each with the change to another where there is one. */
export function measured(one: Relative, other: Relative | null): string {
  const compared = other === null ? [] : [other.objectives];
  const parts = [`Measured: ${headline(scores(one.objectives, compared), 1_500)}`];
  const intervals = Object.entries(one.intervals).map(
    ([name, [low, high]]) => `${headline(name)} in [${value(low)}, ${value(high)}]`,
  );
  if (intervals.length > 0) parts.push(`Intervals: ${headline(intervals.join(', '), 1_000)}`);
  const metrics = Object.entries(one.metrics).map(([name, number]) => {
    const before = other?.metrics[name];
    return `${headline(name)} ${value(number)}${before === undefined ? '' : ` (${change(before, number)})`}`;
  });
  if (metrics.length > 0) parts.push(`Metrics: ${headline(metrics.join(', '), 1_000)}`);
  if (one.summary.trim() !== '') parts.push(prose(one.summary, 500));
  return parts.join('\n\n');
}
