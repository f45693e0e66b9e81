import type { Numbers } from './input.ts';
import { headline } from './text.ts';

/** A value as it is told: six digits that count. */
export function value(number: number): string {
  return String(Number(number.toPrecision(6)));
}

/** A change with its sign: three digits that count. */
export function change(from: number | undefined, to: number): string {
  if (from === undefined) return '?';
  const difference = to - from;
  if (difference === 0) return '±0';
  return `${difference > 0 ? '+' : ''}${Number(difference.toPrecision(3))}`;
}

/**
 * Objectives, each with its change to those that it is compared with: `ratio 1.0123 (+0.0023, +0.0123)`.
 * @param others null of one that has no valid evaluation: the change is unknown
 */
export function scores(objectives: Numbers | null, others: readonly (Numbers | null)[] = []): string {
  if (objectives === null) return 'no valid evaluation';
  return Object.entries(objectives)
    .map(([name, number]) => {
      const changes = others.map((other) => change(other?.[name], number));
      return `${headline(name)} ${value(number)}${changes.length === 0 ? '' : ` (${changes.join(', ')})`}`;
    })
    .join(', ');
}
