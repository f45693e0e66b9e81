/** Whether a part is enough; `spent` when nothing more can be tested. */
export type Answer = 'holds' | 'fails' | 'spent';

export interface Reduced<T> {
  readonly kept: readonly T[];
  /** No single one of `kept` can be left out; false when the tests were spent before that was known. */
  readonly minimal: boolean;
}

/**
 * Delta debugging: reduces a list for which `test` holds to a part for which it still does, of which no single element can
 * be left out (Zeller & Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE TSE 28(2), 2002, the algorithm
 * ddmin). The order is kept. The whole list is never tested, and the empty one first. Parts may be tested again: `test` is
 * expected to remember its answers.
 */
export async function ddmin<T>(all: readonly T[], test: (kept: readonly T[]) => Promise<Answer>): Promise<Reduced<T>> {
  if (all.length === 0) return { kept: all, minimal: true };
  const empty = await test([]);
  if (empty !== 'fails') return { kept: empty === 'holds' ? [] : all, minimal: empty === 'holds' };
  let kept = all;
  for (let count = 2; kept.length > 1; ) {
    const step = await reduce(kept, count, test);
    if (step === 'spent') return { kept, minimal: false };
    if (step !== null) ({ kept, count } = step);
    else if (count >= kept.length) break;
    else count = Math.min(2 * count, kept.length);
  }
  return { kept, minimal: true };
}

interface Step<T> {
  readonly kept: readonly T[];
  /** How many pieces are cut next. */
  readonly count: number;
}

/** One of `count` pieces alone, else all but one of them; null when neither is enough. */
async function reduce<T>(
  kept: readonly T[],
  count: number,
  test: (kept: readonly T[]) => Promise<Answer>,
): Promise<Step<T> | 'spent' | null> {
  const pieces = cut(kept, count);
  for (const piece of pieces) {
    const answer = await test(piece);
    if (answer === 'spent') return answer;
    if (answer === 'holds') return { kept: piece, count: 2 };
  }
  // Of two pieces each is what the other leaves.
  if (count === 2) return null;
  for (const left of pieces.keys()) {
    const rest = pieces.flatMap((piece, index) => (index === left ? [] : piece));
    const answer = await test(rest);
    if (answer === 'spent') return answer;
    if (answer === 'holds') return { kept: rest, count: Math.max(count - 1, 2) };
  }
  return null;
}

/** Pieces whose lengths differ by one at most. */
function cut<T>(list: readonly T[], count: number): T[][] {
  const end = (index: number): number => Math.round((index * list.length) / count);
  return Array.from({ length: count }, (_, index) => list.slice(end(index), end(index + 1)));
}
