import type { Member } from './front.ts';

/**
 * Cuts a front down to its capacity: the best of each objective stays (the earlier objectives first, should the capacity be
 * smaller than their number), the rest fill by falling crowding distance, ties by settlement order.
 */
export function boundFront<M extends Member>(front: readonly M[], capacity: number): readonly M[] {
  if (front.length <= capacity) return front;
  const objectives = front[0]?.point.length ?? 0;
  const kept = new Set<M>();
  for (let j = 0; j < objectives && kept.size < capacity; j++) {
    kept.add(front.reduce((best, next) => (at(next, j) > at(best, j) ? next : best)));
  }
  const crowding = crowdingDistances(front);
  for (const member of front.toSorted((a, b) => compareDescending(crowding.get(a), crowding.get(b)))) {
    if (kept.size === capacity) break;
    kept.add(member);
  }
  return front.filter((member) => kept.has(member));
}

/**
 * How empty it is around each member [Deb, Pratap, Agarwal, Meyarivan 2002, NSGA-II]: the sum over the objectives of the
 * distance between its two neighbours, as a share of the front's range; infinite at the ends of an objective.
 */
function crowdingDistances<M extends Member>(front: readonly M[]): Map<M, number> {
  const distances = new Map(front.map((member) => [member, 0]));
  const objectives = front[0]?.point.length ?? 0;
  for (let j = 0; j < objectives; j++) {
    const sorted = front.toSorted((a, b) => at(a, j) - at(b, j));
    const range = at(sorted.at(-1), j) - at(sorted[0], j);
    if (range === 0) continue; // the objective says nothing about who is crowded
    for (const [index, member] of sorted.entries()) {
      const between = at(sorted[index + 1], j) - at(sorted[index - 1], j);
      distances.set(member, (distances.get(member) ?? 0) + (Number.isNaN(between) ? Infinity : between / range));
    }
  }
  return distances;
}

/** NaN where there is no member: a neighbour of the first or the last. */
function at(member: Member | undefined, objective: number): number {
  return member?.point[objective] ?? Number.NaN;
}

function compareDescending(a = 0, b = 0): number {
  return a === b ? 0 : b - a; // two infinities are equal; their difference would be NaN
}
