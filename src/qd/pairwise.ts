import type { Member, Offer } from './front.ts';
import { compareByPrimary, type Point } from './objectives.ts';

/**
 * The rule of the published treatment [Loreley, arXiv:2608.19703], kept to repeat it: a newcomer within ε of a member in
 * every objective is skipped; a ε-dominates b when a_j ≥ b_j − ε_j for all j and a_k > b_k + ε_k for some k.
 *
 * It lacks what `box` has. The relation is not transitive, so a chain of members, each within ε of the one before, may lose
 * an objective's best value step by step, and a rejected newcomer may still evict a member that nobody else beats.
 */
export function offerByPairs<M extends Member>(front: readonly M[], member: M, epsilons: readonly number[]): Offer<M> {
  if (front.some((other) => close(other.point, member.point, epsilons))) {
    return { accepted: false, reason: 'too_close', front, evicted: [] };
  }
  const kept = undominated([...front, member], epsilons);
  const evicted = front.filter((other) => !kept.includes(other));
  if (!kept.includes(member)) return { accepted: false, reason: 'dominated', front: kept, evicted };
  const reason = front.length === 0 ? 'empty' : evicted.length > 0 ? 'dominates' : 'incomparable';
  return { accepted: true, reason, front: kept, evicted };
}

/**
 * The members, in settlement order and without those too close to an earlier one, that no other ε-dominates. Where members
 * beat one another in a ring that nothing outside beats, plain filtering would drop them all; the ring's best by the primary
 * objective stays. Cubic in the number of members: a front and one more, or the dozens of a published campaign.
 */
export function undominated<M extends Member>(members: readonly M[], epsilons: readonly number[]): readonly M[] {
  const distinct: M[] = [];
  for (const member of members) {
    if (!distinct.some((kept) => close(kept.point, member.point, epsilons))) distinct.push(member);
  }
  const beats = closure(distinct, epsilons);
  return distinct.filter((member) => {
    const above = distinct.filter((other) => beats.get(other)?.has(member));
    const ring = above.filter((other) => beats.get(member)?.has(other));
    return above.length === ring.length && (ring.toSorted(compareByPrimary)[0] ?? member) === member;
  });
}

/** Whom each member beats, directly or through others [Warshall]. A member of a ring beats itself. */
function closure<M extends Member>(members: readonly M[], epsilons: readonly number[]): Map<M, Set<M>> {
  const beats = new Map(
    members.map((a) => [a, new Set(members.filter((b) => epsilonDominates(a.point, b.point, epsilons)))]),
  );
  for (const [via, beaten] of beats) {
    for (const others of beats.values()) {
      if (others.has(via)) for (const member of beaten) others.add(member);
    }
  }
  return beats;
}

function close(a: Point, b: Point, epsilons: readonly number[]): boolean {
  return a.every((x, j) => Math.abs(x - (b[j] ?? Number.NaN)) <= (epsilons[j] ?? 0));
}

function epsilonDominates(a: Point, b: Point, epsilons: readonly number[]): boolean {
  return (
    a.every((x, j) => x >= (b[j] ?? Number.NaN) - (epsilons[j] ?? 0)) &&
    a.some((x, k) => x > (b[k] ?? Number.NaN) + (epsilons[k] ?? 0))
  );
}
