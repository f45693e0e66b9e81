/**
 * A choice of items that keeps to precedence, exclusions, group limits and the largest cardinality while items come and go.
 * `gains[i]` is what item i adds to the value, or takes from it when it leaves.
 */
export class Selection {
  constructor(instance) {
    const { n, weights, pairs, precedence, exclusions, groups } = instance;
    const lists = () => Array.from({ length: n }, () => []);
    this.instance = instance;
    this.chosen = new Set();
    this.value = 0;
    this.gains = [...weights];
    this.partners = lists();
    this.before = lists();
    this.after = lists();
    this.excluded = lists();
    this.groupsOf = lists();
    this.inGroup = groups.map(() => 0);
    for (const [i, j, weight] of pairs) {
      this.partners[i].push([j, weight]);
      this.partners[j].push([i, weight]);
    }
    for (const [first, then] of precedence) {
      this.before[then].push(first);
      this.after[first].push(then);
    }
    for (const [i, j] of exclusions) {
      this.excluded[i].push(j);
      this.excluded[j].push(i);
    }
    for (const [group, { items }] of groups.entries()) for (const item of items) this.groupsOf[item].push(group);
  }

  get tooFew() {
    return this.chosen.size < this.instance.cardinality[0];
  }

  canAdd(item) {
    return (
      !this.chosen.has(item) &&
      this.chosen.size < this.instance.cardinality[1] &&
      this.before[item].every((first) => this.chosen.has(first)) &&
      !this.excluded[item].some((other) => this.chosen.has(other)) &&
      this.groupsOf[item].every((group) => this.inGroup[group] < this.instance.groups[group].limit)
    );
  }

  canRemove(item) {
    return (
      this.chosen.has(item) &&
      this.chosen.size > this.instance.cardinality[0] &&
      !this.after[item].some((then) => this.chosen.has(then))
    );
  }

  add(item) {
    this.value += this.gains[item];
    this.chosen.add(item);
    this.count(item, 1);
  }

  remove(item) {
    this.chosen.delete(item);
    this.count(item, -1);
    this.value -= this.gains[item];
  }

  count(item, sign) {
    for (const [partner, weight] of this.partners[item]) this.gains[partner] += sign * weight;
    for (const group of this.groupsOf[item]) this.inGroup[group] += sign;
  }

  /** What the item could still gain: the positive weights to partners that are not chosen. */
  hope(item) {
    let sum = 0;
    for (const [partner, weight] of this.partners[item]) if (weight > 0 && !this.chosen.has(partner)) sum += weight;
    return sum;
  }

  items() {
    return [...this.chosen];
  }
}
