/** Moves on a selection. All end by themselves and leave it feasible, but for a least cardinality that was not met before. */

/** Adds the best item, again and again, while its score is above zero; the score is its gain and a share of its hope. */
export function fill(selection, share) {
  const { n } = selection.instance;
  for (;;) {
    let best = -1;
    let bestScore = selection.tooFew ? -Infinity : 0;
    for (let item = 0; item < n; item += 1) {
      if (!selection.canAdd(item)) continue;
      const score = selection.gains[item] + share * selection.hope(item);
      if (score > bestScore) {
        best = item;
        bestScore = score;
      }
    }
    if (best < 0) return;
    selection.add(best);
  }
}

/** Takes out every item whose gain is below the limit. */
export function trim(selection, limit) {
  for (const item of selection.items().reverse()) {
    if (selection.canRemove(item) && selection.gains[item] < limit) selection.remove(item);
  }
}

/** Exchanges a chosen item for another one, as often as that raises the value by more than the limit, at most `rounds` times. */
export function exchange(selection, rounds, limit) {
  const { n } = selection.instance;
  for (let round = 0; round < rounds; round += 1) {
    for (const out of selection.items()) {
      if (selection.after[out].some((then) => selection.chosen.has(then))) continue;
      const before = selection.value;
      selection.remove(out);
      let best = out;
      let bestGain = before - selection.value + limit;
      for (let item = 0; item < n; item += 1) {
        if (item !== out && selection.canAdd(item) && selection.gains[item] > bestGain) {
          best = item;
          bestGain = selection.gains[item];
        }
      }
      selection.add(best);
    }
  }
}

/** Takes out so many items, spread over the selection by the seed. */
export function shake(selection, count, seed) {
  let state = seed >>> 0;
  for (let time = 0; time < count; time += 1) {
    const items = selection.items().filter((item) => selection.canRemove(item));
    if (items.length === 0) return;
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    selection.remove(items[state % items.length]);
  }
}
