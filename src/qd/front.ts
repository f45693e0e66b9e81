import { offerByBox } from './box.ts';
import { boundFront } from './crowding.ts';
import type { Point } from './objectives.ts';
import { offerByPairs, undominated } from './pairwise.ts';

export interface FrontSettings {
  /** `box` has all the laws of a front; `pairwise` repeats a published treatment. See `box.ts` and `pairwise.ts`. */
  readonly rule: 'box' | 'pairwise';
  /** One per objective, ≥ 0; 0 is plain Pareto. */
  readonly epsilons: readonly number[];
  /** At least 1; may be Infinity. */
  readonly capacity: number;
}

export interface Member {
  readonly ordinal: number;
  readonly point: Point;
}

export type AcceptedReason = 'empty' | 'dominates' | 'incomparable' | 'same_box_better';
export type RejectedReason = 'dominated' | 'same_box' | 'too_close' | 'crowded';

/** A front's verdict on one more member, and the front after it; `evicted` left because of it. */
export type Offer<M extends Member> = {
  readonly front: readonly M[];
  readonly evicted: readonly M[];
} & (
  | { readonly accepted: true; readonly reason: AcceptedReason }
  | { readonly accepted: false; readonly reason: RejectedReason }
);

/**
 * Offers a member to a front, which is in settlement order; the member is the newest. Pure.
 *
 * A front is never empty after an offer and never larger than its capacity. With the rule `box` it also keeps, for each
 * of the first `capacity` objectives, a value less than ε below the best ever offered, however long it runs.
 * @throws RangeError when the point has not one finite number per objective.
 */
export function offer<M extends Member>(front: readonly M[], member: M, settings: FrontSettings): Offer<M> {
  refuseBadPoint(member, settings.epsilons.length);
  const verdict =
    settings.rule === 'box'
      ? offerByBox(front, member, settings.epsilons)
      : offerByPairs(front, member, settings.epsilons);
  if (!verdict.accepted || verdict.front.length <= settings.capacity) return verdict;
  // Over capacity, so it evicted nobody yet: an eviction would have made room for it.
  const bounded = boundFront(verdict.front, settings.capacity);
  if (!bounded.includes(member)) return { accepted: false, reason: 'crowded', front, evicted: [] };
  return { ...verdict, front: bounded, evicted: front.filter((other) => !bounded.includes(other)) };
}

/** The front of a whole set given in settlement order, say of all cells: unbounded first, then bounded once. */
export function frontOf<M extends Member>(members: readonly M[], settings: FrontSettings): readonly M[] {
  const { rule, epsilons, capacity } = settings;
  for (const member of members) refuseBadPoint(member, epsilons.length);
  const front =
    rule === 'box'
      ? members.reduce<readonly M[]>((kept, member) => offerByBox(kept, member, epsilons).front, [])
      : undominated(members, epsilons);
  return boundFront(front, capacity);
}

function refuseBadPoint({ ordinal, point }: Member, objectives: number): void {
  if (point.length === objectives && point.every(Number.isFinite)) return;
  throw new RangeError(`candidate ${ordinal}: expected ${objectives} finite numbers, got [${point.join(', ')}]`);
}
