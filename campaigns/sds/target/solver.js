import { exchange, fill, Selection, shake, trim } from './lib/index.js';

/**
 * Chooses items of the largest total value under the instance's constraints.
 *
 * @param {object} instance n, weights, pairs, cardinality, precedence, exclusions, groups, seed
 * @returns {number[]} the chosen items
 */
export function solve(instance) {
  const selection = new Selection(instance);
  fill(selection, 0);
  let best = selection.items();
  let value = selection.value;
  for (let round = 0; round < 1; round += 1) {
    shake(selection, 1, instance.seed + round);
    trim(selection, 0);
    exchange(selection, 1, 0);
    fill(selection, 0);
    if (selection.value > value) {
      best = selection.items();
      value = selection.value;
    }
  }
  return best;
}
