/**
 * The geometry that the constructor is made of. It is given and free of cost.
 *
 * - rings: starting points
 * - spread: moves points apart
 * - grow: turns points into circles
 */
export { grow } from './grow.js';
export { rings } from './rings.js';
export { spread } from './spread.js';
