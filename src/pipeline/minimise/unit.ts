import type { Placed } from '../../git/index.ts';
import { type FileChange, textOf } from './change.ts';

/** The smallest thing that is kept or dropped: all of a change, or some of its splices. */
export interface Unit {
  /** Index of the change. */
  readonly change: number;
  /** Indexes of splices; empty for a whole change. */
  readonly splices: readonly number[];
}

/** One unit for each change. */
export function fileUnits(changes: readonly FileChange[]): Unit[] {
  return changes.map((change, index) => ({
    change: index,
    splices: change.kind === 'whole' ? [] : [...change.splices.keys()],
  }));
}

/** One unit for each splice of each change, and for each whole change. */
export function spliceUnits(changes: readonly FileChange[]): Unit[] {
  return changes.flatMap((change, index): Unit[] =>
    change.kind === 'whole'
      ? [{ change: index, splices: [] }]
      : change.splices.map((_, splice) => ({ change: index, splices: [splice] })),
  );
}

/** The changes with nothing in them but what the units are. */
export function keptChanges(changes: readonly FileChange[], units: readonly Unit[]): FileChange[] {
  return changes.flatMap((change, index): FileChange[] => {
    const own = units.filter((unit) => unit.change === index);
    if (own.length === 0) return [];
    if (change.kind === 'whole') return [change];
    const wanted = new Set(own.flatMap(({ splices }) => splices));
    return [{ ...change, splices: change.splices.filter((_, splice) => wanted.has(splice)) }];
  });
}

/** What the files hold after the changes, for `composeTree`. */
export function placedFiles(changes: readonly FileChange[]): Map<string, Placed> {
  const files = new Map<string, Placed>();
  for (const change of changes) {
    if (change.kind === 'whole') for (const [path, placed] of change.files) files.set(path, placed);
    else if (change.splices.length > 0) {
      files.set(change.path, { mode: change.mode, bytes: Buffer.from(textOf(change).join('')) });
    }
  }
  return files;
}
