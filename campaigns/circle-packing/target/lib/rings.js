/**
 * Points in the middle of the square and on rings around it. The k-th ring has 6k of them, the last one what is left.
 *
 * @param {number} count of points
 * @param {number} distance from ring to ring
 * @returns {{x: number, y: number, r: number}[]} circles of no size
 */
export function rings(count, distance) {
  const circles = [{ x: 0.5, y: 0.5, r: 0 }];
  for (let k = 1; circles.length < count; k += 1) {
    const places = Math.min(6 * k, count - circles.length);
    for (let i = 0; i < places; i += 1) {
      const angle = (2 * Math.PI * i) / places;
      circles.push({ x: 0.5 + k * distance * Math.cos(angle), y: 0.5 + k * distance * Math.sin(angle), r: 0 });
    }
  }
  return circles;
}
