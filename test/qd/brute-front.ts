import type { FrontSettings, Member } from '../../src/qd/index.ts';

/** Slow, literal twins of the fronts: what the laws say, with no thought of speed. */

export function bruteBoxFront(members: readonly Member[], epsilons: readonly number[]): Member[] {
  const boxes = members.map(({ point }) => [...point].map((x, j) => (epsilons[j] ? Math.floor(x / epsilons[j]) : x)));
  const best = members.filter((_, i) => !boxes.some((box) => dominates(box, boxes[i] ?? [])));
  const boxOf = (member: Member) => String(boxes[members.indexOf(member)]);
  return best.filter((member) => {
    const inBox = best.filter((other) => boxOf(other) === boxOf(member));
    return !inBox.some((other) => other !== member && wins(other, member, epsilons));
  });
}

/** Within one box: plain dominance, distance to the upper corner, settlement order. */
function wins(a: Member, b: Member, epsilons: readonly number[]): boolean {
  if (dominates([...a.point], [...b.point])) return true;
  if (dominates([...b.point], [...a.point])) return false;
  const difference = cornerDistance(a, epsilons) - cornerDistance(b, epsilons);
  return difference === 0 ? a.ordinal < b.ordinal : difference < 0;
}

function cornerDistance({ point }: Member, epsilons: readonly number[]): number {
  const shortfalls = [...point].map((x, j) => (epsilons[j] ? Math.floor(x / epsilons[j]) + 1 - x / epsilons[j] : 0));
  return shortfalls.reduce((sum, x) => sum + x * x, 0);
}

export function dominates(a: readonly number[], b: readonly number[]): boolean {
  return a.every((x, j) => x >= (b[j] ?? NaN)) && a.some((x, j) => x > (b[j] ?? NaN));
}

/** Each member that nobody outside its ring of mutual defeat beats; of a ring the best by the primary objective. */
export function brutePairwiseFront(members: readonly Member[], epsilons: readonly number[]): Member[] {
  const e = (j: number) => epsilons[j] ?? 0;
  const at = (member: Member, j: number) => member.point[j] ?? NaN;
  const axes = epsilons.map((_, j) => j);
  const close = (a: Member, b: Member) => axes.every((j) => Math.abs(at(a, j) - at(b, j)) <= e(j));
  const beats = (a: Member, b: Member) =>
    axes.every((j) => at(a, j) >= at(b, j) - e(j)) && axes.some((j) => at(a, j) > at(b, j) + e(j));
  const distinct: Member[] = [];
  for (const member of members) if (distinct.every((kept) => !close(kept, member))) distinct.push(member);
  const reaches = (a: Member, b: Member, seen = new Set<Member>()): boolean =>
    distinct.some((next) => {
      if (!beats(a, next) || seen.has(next)) return false;
      seen.add(next);
      return next === b || reaches(next, b, seen);
    });
  return distinct.filter((member) => {
    const above = distinct.filter((other) => reaches(other, member));
    if (above.some((other) => !reaches(member, other))) return false;
    const ring = above.length === 0 ? [member] : above;
    const primary = Math.max(...ring.map((other) => at(other, 0)));
    return ring.find((other) => at(other, 0) === primary) === member;
  });
}

/** One member over capacity: drops the least crowded-out one that is no objective's best, the newest of equals. */
export function dropMostCrowded(front: readonly Member[], { capacity }: FrontSettings): Member[] {
  if (front.length <= capacity) return [...front];
  const axes = [...(front[0]?.point ?? [])].map((_, j) => j);
  const at = (member: Member, j: number) => member.point[j] ?? NaN;
  const protectedOnes: Member[] = [];
  for (const j of axes) {
    const top = Math.max(...front.map((member) => at(member, j)));
    const best = front.find((member) => at(member, j) === top);
    if (best && !protectedOnes.includes(best) && protectedOnes.length < capacity) protectedOnes.push(best);
  }
  const crowding = (member: Member) =>
    axes.reduce((sum, j) => {
      const order = [...front].sort((a, b) => at(a, j) - at(b, j) || front.indexOf(a) - front.indexOf(b));
      const [low, high] = [order[0], order.at(-1)];
      if (low === undefined || high === undefined || at(low, j) === at(high, j)) return sum;
      if (member === low || member === high) return Infinity;
      const i = order.indexOf(member);
      return sum + (at(order[i + 1] ?? member, j) - at(order[i - 1] ?? member, j)) / (at(high, j) - at(low, j));
    }, 0);
  const loose = front.filter((member) => !protectedOnes.includes(member));
  const least = Math.min(...loose.map(crowding));
  const dropped = loose.findLast((member) => crowding(member) === least);
  return front.filter((member) => member !== dropped);
}
