/**
 * Moves points that stand closer than `reach` away from each other and from the walls. Circles lose their size by it.
 *
 * @param {{x: number, y: number, r: number}[]} circles
 * @param {number} rounds how often every pair is looked at
 * @param {number} reach
 * @param {number} push the share of the missing distance that one look adds
 */
export function spread(circles, rounds, reach, push) {
  for (let round = 0; round < rounds; round += 1) {
    for (const a of circles) {
      for (const b of circles) {
        const gap = Math.hypot(a.x - b.x, a.y - b.y);
        if (gap > 0 && gap < reach) {
          const step = (push * (reach - gap)) / gap;
          a.x += step * (a.x - b.x);
          a.y += step * (a.y - b.y);
        }
      }
      a.x += push * (Math.max(0, reach / 2 - a.x) - Math.max(0, reach / 2 - (1 - a.x)));
      a.y += push * (Math.max(0, reach / 2 - a.y) - Math.max(0, reach / 2 - (1 - a.y)));
      a.r = 0;
    }
  }
}
