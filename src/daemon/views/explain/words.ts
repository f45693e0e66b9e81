import type { PlacementReason } from '../../../qd/index.ts';

/** Why a front took a candidate or not; the rules are those of `qd/box`, `qd/pairwise` and `qd/crowding`. */
const REASONS: Readonly<Record<PlacementReason, string>> = {
  empty: 'the cell was empty',
  dominates: 'it dominates members of the front',
  incomparable: 'it and the members of the front do not dominate each other',
  same_box_better: 'it is the better of two that are equal within ε',
  dominated: 'members of the front dominate it',
  same_box: 'a member that is equal within ε is at least as good',
  too_close: 'a member is within ε of it in every objective',
  crowded: 'the front is full and it spreads it the least',
  withdrawn: 'it failed when it was measured again',
};

/** A stored reason in words; one that this version does not know stays as it is. */
export function reasonInWords(reason: string): string {
  return new Map<string, string>(Object.entries(REASONS)).get(reason) ?? reason;
}

/** `job 3`, `jobs 3 and 5`, `jobs 1, 3 and 5`. */
export function jobs(ordinals: readonly number[]): string {
  const last = ordinals.at(-1);
  if (ordinals.length < 2 || last === undefined) return `job ${last ?? '?'}`;
  return `jobs ${ordinals.slice(0, -1).join(', ')} and ${last}`;
}

/** `1 entry`, `3 entries`. */
export function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}
