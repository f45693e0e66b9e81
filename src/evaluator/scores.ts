import type { Objective } from '../config/index.ts';

/** An objective as far as its score goes. */
export type Ranked = Pick<Objective, 'name' | 'direction' | 'rankBy'>;

/**
 * What the search goes by: the value, or the end of the interval that is worse for the candidate. Null when an objective is
 * ranked by its bound and has no interval, with its name.
 */
export function scoresOf(
  objectives: readonly Ranked[],
  values: Readonly<Record<string, number>>,
  intervals: Readonly<Record<string, readonly [number, number]>>,
): { readonly scores: Record<string, number> } | { readonly missing: string } {
  const scores: Record<string, number> = {};
  for (const { name, direction, rankBy } of objectives) {
    const interval = intervals[name];
    const bound = direction === 'maximize' ? interval?.[0] : interval?.[1];
    const score = rankBy === 'bound' ? bound : values[name];
    if (score === undefined) return { missing: name };
    scores[name] = score;
  }
  return { scores };
}
