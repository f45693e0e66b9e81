import type { Campaign } from './campaign.ts';
import { isRecord } from './key-path.ts';
import { toWritten } from './written.ts';

/** What makes two runs the same search: plain JSON in the words of the campaign file. Fixed at the first run. */
export function frozenPart(campaign: Campaign): Record<string, unknown> {
  const { target, goal, constraints, evaluator, search } = toWritten(campaign);
  const { concurrency: _concurrency, cpus: _cpus, ...measurement } = evaluator;
  return { target, goal, constraints, evaluator: measurement, search };
}

/** What may change while the campaign runs: plain JSON in the words of the campaign file. */
export function livePart(campaign: Campaign): Record<string, unknown> {
  const { evaluator, agents, providers, budget, limits, keep, notify, sandbox } = toWritten(campaign);
  const { concurrency, cpus } = evaluator;
  return { evaluator: { concurrency, cpus }, agents, providers, budget, limits, keep, notify, sandbox };
}

/**
 * The keys whose values differ between two such parts, in the order of `before`: `['search.front.capacity']`. A list
 * counts as one value.
 */
export function changedKeys(before: unknown, after: unknown): string[] {
  return differences(before, after, '');
}

function differences(before: unknown, after: unknown, name: string): string[] {
  if (!isRecord(before) || !isRecord(after)) return sameValue(before, after) ? [] : [name];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => differences(before[key], after[key], name === '' ? key : `${name}.${key}`));
}

/** Equal as JSON whatever the order of keys: what a database gives back need not keep it. */
function sameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  }
  if (isRecord(a) && isRecord(b)) return differences(a, b, '').length === 0;
  return Object.is(a, b);
}
