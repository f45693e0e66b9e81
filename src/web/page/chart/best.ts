/** Pure: from the pages of a series to what is drawn. */
import type { SeriesView } from '../../server/answers.ts';

/** All settled jobs that are known, in settlement order; arrays of equal length. */
export interface History {
  readonly ordinals: readonly number[];
  readonly outcomes: readonly string[];
  readonly scores: readonly (number | null)[];
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

export const EMPTY: History = { ordinals: [], outcomes: [], scores: [], low: [], high: [] };

/** Appends a page that begins where the history ends; one that begins elsewhere, because it was asked for twice, changes nothing. */
export function append(history: History, page: SeriesView): History {
  if (page.settlement !== history.ordinals.length || page.ordinals.length === 0) return history;
  const absent = page.ordinals.map(() => null);
  return {
    ordinals: [...history.ordinals, ...page.ordinals],
    outcomes: [...history.outcomes, ...page.outcomes.map((outcome) => page.outcomeNames[outcome] ?? 'failed')],
    scores: [...history.scores, ...page.scores],
    low: [...history.low, ...(page.low ?? absent)],
    high: [...history.high, ...(page.high ?? absent)],
  };
}

/** A job that was better than all that settled before it. */
export interface Lead {
  /** Its place in the settlement order. */
  readonly at: number;
  readonly ordinal: number;
  readonly score: number;
}

/** Who led, in the order in which they took the lead; of equal scores the earlier one keeps it. */
export function leads({ ordinals, scores }: History, direction: 'maximize' | 'minimize'): Lead[] {
  const found: Lead[] = [];
  for (const [at, score] of scores.entries()) {
    const best = found.at(-1)?.score;
    const better = score !== null && (best === undefined || (direction === 'maximize' ? score > best : score < best));
    if (better) found.push({ at, ordinal: ordinals[at] ?? 0, score });
  }
  return found;
}

/** The best score at every place; null before there is one. */
export function bestSoFar(found: readonly Lead[], length: number): (number | null)[] {
  const best: (number | null)[] = new Array(length).fill(null);
  for (const [index, { at, score }] of found.entries()) best.fill(score, at, found[index + 1]?.at ?? length);
  return best;
}
