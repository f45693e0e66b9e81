import type { Circle } from './exact.ts';

/** What the next agent may want to know about a packing: where room is left. */

/** The finest gap that still counts as touching, as a share of the side. */
const TOUCH = 1e-6;
const GRID = 64;
const SHOWN = 6;

interface Gap {
  readonly room: number;
  readonly stop: string;
}

/** For each circle the room around it: how much its radius could grow if nothing else moved, and what stops it then. */
export function slack(circles: readonly Circle[], side: number): (Gap & { readonly index: number })[] {
  return circles.map((a, index) => {
    const others = circles.flatMap((b, j) =>
      j === index ? [] : [{ room: Math.hypot(a.x - b.x, a.y - b.y) - a.r - b.r, stop: `circle ${j}` }],
    );
    const walls = [
      { room: a.x - a.r, stop: 'the left wall' },
      { room: a.y - a.r, stop: 'the lower wall' },
      { room: side - a.x - a.r, stop: 'the right wall' },
      { room: side - a.y - a.r, stop: 'the upper wall' },
    ];
    return { index, ...[...walls, ...others].reduce((least, gap) => (gap.room < least.room ? gap : least)) };
  });
}

/** The largest circle that would still fit, its centre sought on a grid; r is 0 when there is no hole. */
export function largestHole(circles: readonly Circle[], side: number): Circle {
  let best = { x: 0, y: 0, r: 0 };
  for (let i = 1; i < GRID; i += 1) {
    for (let j = 1; j < GRID; j += 1) {
      const [x, y] = [(i / GRID) * side, (j / GRID) * side];
      const r = Math.min(x, y, side - x, side - y, ...circles.map((c) => Math.hypot(c.x - x, c.y - y) - c.r));
      if (r > best.r) best = { x, y, r };
    }
  }
  return best;
}

/** A few lines on loose circles, the largest hole and the sizes. */
export function describe(circles: readonly Circle[], side: number): string {
  const bySlack = slack(circles, side).sort((a, b) => b.room - a.room);
  const loose = bySlack.filter(({ room }) => room > TOUCH * side);
  const hole = largestHole(circles, side);
  const sizes = circles
    .map(({ r }) => r)
    .sort((a, b) => a - b)
    .map((r) => r.toFixed(4));
  const lines = [
    `${circles.length - loose.length} circles touch something, ${loose.length} are loose${loose.length > 0 ? ':' : '.'}`,
    ...loose
      .slice(0, SHOWN)
      .map(
        ({ index, room, stop }) =>
          `  ${looseCircle(circles, index)}, could grow by ${room.toFixed(4)}, then meets ${stop}`,
      ),
    `The largest hole is at (${hole.x.toFixed(3)}, ${hole.y.toFixed(3)}) with room for r ${hole.r.toFixed(4)}.`,
    `Radii from ${sizes[0]} to ${sizes.at(-1)}, smallest four: ${sizes.slice(0, 4).join(', ')}.`,
  ];
  return `${lines.join('\n')}\n`;
}

function looseCircle(circles: readonly Circle[], index: number): string {
  const { x = 0, y = 0, r = 0 } = circles[index] ?? {};
  return `circle ${index} at (${x.toFixed(4)}, ${y.toFixed(4)}), r ${r.toFixed(4)}`;
}
