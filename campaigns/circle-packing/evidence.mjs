/**
 * What the next agent may want to know about a packing: where room is left.
 *
 * @typedef {import('./exact.mjs').Circle} Circle
 */

/** The finest gap that still counts as touching. */
const TOUCH = 1e-6;
const GRID = 64;
const SHOWN = 6;

/**
 * For each circle the room around it: how much its radius could grow if nothing else moved, and what stops it then.
 *
 * @param {Circle[]} circles
 * @returns {{index: number, room: number, stop: string}[]}
 */
export function slack(circles) {
  return circles.map((a, index) => {
    const gaps = [
      { room: a.x - a.r, stop: 'the left wall' },
      { room: a.y - a.r, stop: 'the lower wall' },
      { room: 1 - a.x - a.r, stop: 'the right wall' },
      { room: 1 - a.y - a.r, stop: 'the upper wall' },
      ...circles.flatMap((b, j) =>
        j === index ? [] : [{ room: Math.hypot(a.x - b.x, a.y - b.y) - a.r - b.r, stop: `circle ${j}` }],
      ),
    ];
    return { index, ...gaps.reduce((least, gap) => (gap.room < least.room ? gap : least)) };
  });
}

/**
 * The largest circle that would still fit, its centre sought on a grid.
 *
 * @param {Circle[]} circles
 * @returns {Circle} r is 0 when there is no hole
 */
export function largestHole(circles) {
  let best = { x: 0, y: 0, r: 0 };
  for (let i = 1; i < GRID; i += 1) {
    for (let j = 1; j < GRID; j += 1) {
      const [x, y] = [i / GRID, j / GRID];
      const r = Math.min(x, y, 1 - x, 1 - y, ...circles.map((c) => Math.hypot(c.x - x, c.y - y) - c.r));
      if (r > best.r) best = { x, y, r };
    }
  }
  return best;
}

/**
 * @param {Circle[]} circles
 * @returns {string} a few lines
 */
export function describe(circles) {
  const bySlack = slack(circles).sort((a, b) => b.room - a.room);
  const loose = bySlack.filter(({ room }) => room > TOUCH);
  const hole = largestHole(circles);
  const sizes = [...circles].map(({ r }) => r).sort((a, b) => a - b);
  const lines = [
    `${circles.length - loose.length} circles touch something, ${loose.length} are loose${loose.length > 0 ? ':' : '.'}`,
    ...loose.slice(0, SHOWN).map(({ index, room, stop }) => {
      const { x, y, r } = circles[index];
      return `  circle ${index} at (${x.toFixed(4)}, ${y.toFixed(4)}), r ${r.toFixed(4)}, could grow by ${room.toFixed(4)}, then meets ${stop}`;
    }),
    `The largest hole is at (${hole.x.toFixed(3)}, ${hole.y.toFixed(3)}) with room for r ${hole.r.toFixed(4)}.`,
    `Radii from ${sizes[0].toFixed(4)} to ${sizes.at(-1).toFixed(4)}, smallest four: ${sizes
      .slice(0, 4)
      .map((r) => r.toFixed(4))
      .join(', ')}.`,
  ];
  return `${lines.join('\n')}\n`;
}
