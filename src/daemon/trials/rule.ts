import type { Criterion, Remeasure } from '../../config/index.ts';
import type { Numbers, TrialRow } from '../../store/index.ts';
import { gainOf } from '../gain.ts';

/** A candidate with what it ranks by. */
export interface Contender {
  readonly ordinal: number;
  readonly scores: Numbers;
  /** Whether its scores come of a fresh measurement, which nothing was chosen by; the root's first is one. */
  readonly fresh: boolean;
}

/**
 * Whether a candidate has to be measured again before its scores count, and why. With `incumbent`, whoever would take the lead,
 * beside the leader; else whoever is better than the leader by more than `jump`, alone. A gain over a leader at 0 has no size and is
 * no jump. Nobody is tried twice. Pure.
 */
export function trialFor(
  { incumbent, jump }: Remeasure,
  leader: Contender | null,
  challenger: Contender,
  primary: Criterion,
): TrialRow['cause'] | null {
  if (leader === null || challenger.fresh || !isBetter(challenger.scores, leader.scores, primary)) return null;
  if (incumbent) return 'lead';
  const gain = gainOf(leader.scores, challenger.scores, primary);
  return jump > 0 && gain !== null && gain > jump ? 'jump' : null;
}

/** Whether a candidate still is the better one after its trial; null: it failed in it. Pure. */
export function outcomeOf(challenger: Numbers | null, leader: Numbers, primary: Criterion): 'confirmed' | 'refuted' {
  return challenger !== null && isBetter(challenger, leader, primary) ? 'confirmed' : 'refuted';
}

/** By the primary objective; equals are not better. */
export function isBetter(a: Numbers, b: Numbers, primary: Criterion): boolean {
  const [left, right] = [a[primary.name], b[primary.name]];
  if (left === undefined || right === undefined) return false;
  return primary.direction === 'maximize' ? left > right : left < right;
}
