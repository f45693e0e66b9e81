/** Keys or rows of one statement: PostgreSQL counts parameters in 16 bits. */
const BATCH = 2_000;

/** Items in pieces that one statement can take, in their order. */
export function* batches<T>(items: readonly T[]): Generator<T[]> {
  for (let start = 0; start < items.length; start += BATCH) yield items.slice(start, start + BATCH);
}
