/**
 * Exact comparison of packings. Every finite double is a whole number of 2^-1074, so containment and overlap are decided
 * in integers, without rounding and without any tolerance: a packing that is accepted is a packing.
 */

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

const FRACTION_BITS = 52n;
const view = new DataView(new ArrayBuffer(8));

/** One, in units of 2^-1074. */
export const ONE: bigint = 1n << 1074n;

/**
 * @param value finite
 * @returns value · 2^1074
 */
export function exact(value: number): bigint {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> FRACTION_BITS) & 0x7ffn;
  const fraction = bits & ((1n << FRACTION_BITS) - 1n);
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << FRACTION_BITS)) << (exponent - 1n);
  return bits >> 63n === 0n ? magnitude : -magnitude;
}

/**
 * @param circles finite numbers, r > 0
 * @param side of the square, from (0, 0) on
 * @returns indices of circles that leave the square, and pairs that share more than one point
 */
export function violations(
  circles: readonly Circle[],
  side = 1,
): { outside: number[]; overlapping: [number, number][] } {
  const edge = exact(side);
  const exactly = circles.map(({ x, y, r }) => ({ x: exact(x), y: exact(y), r: exact(r) }));
  const outside: number[] = [];
  const overlapping: [number, number][] = [];
  for (const [i, a] of exactly.entries()) {
    if (a.x < a.r || a.y < a.r || a.x + a.r > edge || a.y + a.r > edge) outside.push(i);
    for (const [j, b] of exactly.slice(0, i).entries()) {
      const [dx, dy, both] = [a.x - b.x, a.y - b.y, a.r + b.r];
      if (dx * dx + dy * dy < both * both) overlapping.push([j, i]);
    }
  }
  return { outside, overlapping };
}
