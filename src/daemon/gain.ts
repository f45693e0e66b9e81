import type { Criterion } from '../config/index.ts';
import type { Numbers } from '../store/index.ts';

type Measured = Numbers | null | undefined;

/** How much better `to` is than `from` in the primary objective, relative to |from|; positive is better. */
export function gainOf(from: Measured, to: Measured, primary: Criterion): number | null {
  const [before, after] = [from?.[primary.name], to?.[primary.name]];
  if (before === undefined || after === undefined || before === 0) return null;
  const gain = (after - before) / Math.abs(before);
  return primary.direction === 'maximize' ? gain : -gain;
}

/** How much better `to` is than `from` in the primary objective, in its own unit; positive is better. */
export function advanceOf(from: Measured, to: Measured, primary: Criterion): number | null {
  const [before, after] = [from?.[primary.name], to?.[primary.name]];
  if (before === undefined || after === undefined) return null;
  return primary.direction === 'maximize' ? after - before : before - after;
}

/** Whether `better` is better than `other` in the primary objective by more than its ε: less than that is noise. */
export function beats(better: Measured, other: Measured, primary: Criterion): boolean {
  const difference = advanceOf(other, better, primary);
  return difference !== null && difference > primary.epsilon;
}
