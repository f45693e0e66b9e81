import type { Instance } from './instance.ts';

/**
 * A choice that keeps to precedence, exclusions, group limits and the largest cardinality while items come and go one by one;
 * only the least cardinality may be missed on the way. A move costs as much as the item has pairs.
 */
export class State {
  readonly instance: Instance;
  readonly #neighbours: readonly (readonly { readonly item: number; readonly weight: number }[])[];
  readonly #before: readonly (readonly number[])[];
  readonly #after: readonly (readonly number[])[];
  readonly #excluded: readonly (readonly number[])[];
  readonly #groupsOf: readonly (readonly number[])[];
  readonly #inGroup: number[];
  readonly #gains: number[];
  readonly #chosen = new Set<number>();
  #value = 0;

  constructor(instance: Instance) {
    const { n, pairs, precedence, exclusions, groups } = instance;
    this.instance = instance;
    this.#gains = [...instance.weights];
    this.#inGroup = groups.map(() => 0);
    this.#neighbours = byItem(
      n,
      pairs.flatMap(([i, j, weight]) => [[i, { item: j, weight }] as const, [j, { item: i, weight }] as const]),
    );
    this.#before = byItem(
      n,
      precedence.map(([first, then]) => [then, first] as const),
    );
    this.#after = byItem(n, precedence);
    this.#excluded = byItem(
      n,
      exclusions.flatMap(([i, j]) => [[i, j] as const, [j, i] as const]),
    );
    this.#groupsOf = byItem(
      n,
      groups.flatMap(({ items }, group) => items.map((item) => [item, group] as const)),
    );
  }

  get value(): number {
    return this.#value;
  }

  get size(): number {
    return this.#chosen.size;
  }

  /** How many items are missing to the least cardinality. */
  get missing(): number {
    return Math.max(0, this.instance.cardinality[0] - this.#chosen.size);
  }

  has(item: number): boolean {
    return this.#chosen.has(item);
  }

  items(): number[] {
    return [...this.#chosen].sort((a, b) => a - b);
  }

  /** What the item adds to the value, or would lose it. */
  gain(item: number): number {
    return this.#gains[item] ?? 0;
  }

  neighbours(item: number): readonly { readonly item: number; readonly weight: number }[] {
    return this.#neighbours[item] ?? [];
  }

  canAdd(item: number): boolean {
    return (
      !this.#chosen.has(item) &&
      this.#chosen.size < this.instance.cardinality[1] &&
      (this.#before[item] ?? []).every((first) => this.#chosen.has(first)) &&
      !(this.#excluded[item] ?? []).some((other) => this.#chosen.has(other)) &&
      (this.#groupsOf[item] ?? []).every((group) => this.#countIn(group) < (this.instance.groups[group]?.limit ?? 0))
    );
  }

  canRemove(item: number): boolean {
    return this.#chosen.has(item) && !(this.#after[item] ?? []).some((then) => this.#chosen.has(then));
  }

  add(item: number): void {
    this.#value += this.gain(item);
    this.#chosen.add(item);
    this.#move(item, 1);
  }

  remove(item: number): void {
    this.#chosen.delete(item);
    this.#move(item, -1);
    this.#value -= this.gain(item);
  }

  /** The item and what it needs that is not chosen, in an order in which they can be added. */
  withPreconditions(item: number): number[] {
    return closure(item, this.#before, (other) => !this.#chosen.has(other)).sort((a, b) => a - b);
  }

  /** The item and what needs it and is chosen, in an order in which they can be removed. */
  withDependants(item: number): number[] {
    return closure(item, this.#after, (other) => this.#chosen.has(other)).sort((a, b) => b - a);
  }

  /** Adds all in order, or none when one of them cannot be. */
  addAll(items: readonly number[]): boolean {
    for (const [done, item] of items.entries()) {
      if (this.canAdd(item)) this.add(item);
      else {
        for (const added of items.slice(0, done).reverse()) this.remove(added);
        return false;
      }
    }
    return true;
  }

  #countIn(group: number): number {
    return this.#inGroup[group] ?? 0;
  }

  #move(item: number, sign: 1 | -1): void {
    for (const neighbour of this.neighbours(item))
      this.#gains[neighbour.item] = this.gain(neighbour.item) + sign * neighbour.weight;
    for (const group of this.#groupsOf[item] ?? []) this.#inGroup[group] = this.#countIn(group) + sign;
  }
}

function byItem<T>(n: number, entries: readonly (readonly [number, T])[]): T[][] {
  const lists = Array.from({ length: n }, (): T[] => []);
  for (const [item, value] of entries) lists[item]?.push(value);
  return lists;
}

function closure(item: number, next: readonly (readonly number[])[], wanted: (item: number) => boolean): number[] {
  const found = new Set([item]);
  for (const at of found) for (const other of next[at] ?? []) if (wanted(other)) found.add(other);
  return [...found];
}
