import type { Member, Offer } from './front.ts';
import type { Point } from './objectives.ts';

/**
 * The default rule [Laumanns, Thiele, Deb, Zitzler 2002]. Criterion space is cut into boxes with edges ε, a point in box
 * ⌊x_j / ε_j⌋ (x_j itself where ε_j = 0). A member is beaten by a box that is nowhere lower and somewhere higher. Within one
 * box plain dominance decides, then the distance to the box's upper corner with its edges as units, then settlement order.
 *
 * Box dominance is transitive, so whatever beats a member also beats all that the member ever beat: nothing is lost to a
 * chain of small steps, and a front holds one member a box.
 */
export function offerByBox<M extends Member>(front: readonly M[], member: M, epsilons: readonly number[]): Offer<M> {
  const evicted: M[] = [];
  let sameBox = false;
  for (const other of front) {
    const relation = compareBoxes(other.point, member.point, epsilons);
    if (relation === 'beats') return { accepted: false, reason: 'dominated', front, evicted: [] };
    if (relation === 'same') {
      if (!betterInBox(member.point, other.point, epsilons)) {
        return { accepted: false, reason: 'same_box', front, evicted: [] };
      }
      sameBox = true;
    }
    if (relation !== 'neither') evicted.push(other);
  }
  const kept = evicted.length === 0 ? front : front.filter((other) => !evicted.includes(other));
  const reason =
    front.length === 0 ? 'empty' : sameBox ? 'same_box_better' : evicted.length > 0 ? 'dominates' : 'incomparable';
  return { accepted: true, reason, front: [...kept, member], evicted };
}

/** What box(a) does to box(b). */
function compareBoxes(a: Point, b: Point, epsilons: readonly number[]): 'beats' | 'is_beaten' | 'same' | 'neither' {
  let higher = false;
  let lower = false;
  for (let j = 0; j < epsilons.length; j++) {
    const edgeA = boxOf(a[j] ?? Number.NaN, epsilons[j] ?? 0);
    const edgeB = boxOf(b[j] ?? Number.NaN, epsilons[j] ?? 0);
    if (edgeA > edgeB) higher = true;
    if (edgeA < edgeB) lower = true;
  }
  if (higher && lower) return 'neither';
  if (higher) return 'beats';
  return lower ? 'is_beaten' : 'same';
}

function boxOf(value: number, epsilon: number): number {
  return epsilon === 0 ? value : Math.floor(value / epsilon);
}

/** Whether the newer `a` takes the place of `b` in their common box. */
function betterInBox(a: Point, b: Point, epsilons: readonly number[]): boolean {
  const above = a.some((x, j) => x > (b[j] ?? Number.NaN));
  const below = a.some((x, j) => x < (b[j] ?? Number.NaN));
  if (above !== below) return above;
  return cornerDistance(a, epsilons) < cornerDistance(b, epsilons);
}

/** Squared distance to the upper corner of a point's box, in units of the box's edges. */
function cornerDistance(point: Point, epsilons: readonly number[]): number {
  return point.reduce((sum, x, j) => {
    const epsilon = epsilons[j] ?? 0;
    const gap = epsilon === 0 ? 0 : boxOf(x, epsilon) + 1 - x / epsilon;
    return sum + gap * gap;
  }, 0);
}
