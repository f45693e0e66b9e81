import { grow, rings, spread } from './lib/index.js';

/**
 * Packs 26 circles without overlap into the unit square; the larger the sum of their radii the better.
 *
 * @returns {{x: number, y: number, r: number}[]}
 */
export function pack() {
  const circles = rings(26, 0.15);
  spread(circles, 10, 0.2, 0.1);
  grow(circles, 2, 0.2);
  grow(circles, 2, 0.2);
  return circles;
}
