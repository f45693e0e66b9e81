/** What is left between two circles that touch: rounding must not make them overlap. */
const MARGIN = 1e-9;

/**
 * Lets every radius, in turn, take a share of the room that is left around its circle.
 *
 * @param {{x: number, y: number, r: number}[]} circles
 * @param {number} rounds
 * @param {number} share from 0 to 1
 */
export function grow(circles, rounds, share) {
  for (let round = 0; round < rounds; round += 1) {
    for (const a of circles) {
      const gaps = circles.filter((b) => b !== a).map((b) => Math.hypot(a.x - b.x, a.y - b.y) - b.r);
      const room = Math.min(a.x, a.y, 1 - a.x, 1 - a.y, ...gaps) - MARGIN;
      a.r += Math.max(0, share * (room - a.r));
    }
  }
}
