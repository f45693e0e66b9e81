/**
 * What a solver is made of.
 *
 * - Selection: a choice of items that keeps to the constraints
 * - fill, trim, exchange, shake: moves on it
 */
export { exchange, fill, shake, trim } from './moves.js';
export { Selection } from './selection.js';
