/**
 * Exact comparison of packings. Every finite double is a whole number of 2^-1074, so containment and overlap are decided
 * in integers, without rounding and without any tolerance: a packing that is accepted is a packing.
 *
 * @typedef {{x: number, y: number, r: number}} Circle
 */

const FRACTION_BITS = 52n;
const view = new DataView(new ArrayBuffer(8));

/** One, in units of 2^-1074. */
export const ONE = 1n << 1074n;

/**
 * @param {number} value finite
 * @returns {bigint} value · 2^1074
 */
export function exact(value) {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = (bits >> FRACTION_BITS) & 0x7ffn;
  const fraction = bits & ((1n << FRACTION_BITS) - 1n);
  const magnitude = exponent === 0n ? fraction : (fraction | (1n << FRACTION_BITS)) << (exponent - 1n);
  return bits >> 63n === 0n ? magnitude : -magnitude;
}

/**
 * @param {Circle[]} circles finite numbers, r > 0
 * @returns {{outside: number[], overlapping: [number, number][]}} indices of circles that leave the unit square, and
 *   pairs that share more than one point
 */
export function violations(circles) {
  const exactly = circles.map(({ x, y, r }) => ({ x: exact(x), y: exact(y), r: exact(r) }));
  const outside = [];
  const overlapping = [];
  for (const [i, a] of exactly.entries()) {
    if (a.x < a.r || a.y < a.r || a.x + a.r > ONE || a.y + a.r > ONE) outside.push(i);
    for (const [j, b] of exactly.slice(0, i).entries()) {
      const [dx, dy, both] = [a.x - b.x, a.y - b.y, a.r + b.r];
      if (dx * dx + dy * dy < both * both) overlapping.push([j, i]);
    }
  }
  return { outside, overlapping };
}
