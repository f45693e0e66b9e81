import type { Ancestor } from '../../store/index.ts';

/** A candidate with all its ancestors, the root first. */
export type Line = readonly Ancestor[];

/** A stretch of a line, with what happened on it. */
export interface Stretch {
  /** What it begins with, then the steps from there. */
  readonly line: Line;
  /** How often the steps changed each path, the most often first. */
  readonly times: ReadonlyMap<string, number>;
  /** Files that the steps changed; where one changed more than are read of it, at least that many. */
  readonly files: number;
}

export function stretch(line: Line): Stretch {
  const steps = line.slice(1);
  const times = new Map<string, number>();
  for (const { changedPaths } of steps) {
    for (const path of changedPaths) times.set(path, (times.get(path) ?? 0) + 1);
  }
  const ranked = [...times].sort(([a, timesA], [b, timesB]) => timesB - timesA || (a < b ? -1 : 1));
  const files = steps.reduce((most, step) => Math.max(most, step.files), times.size);
  return { line, times: new Map(ranked), files };
}

/** The part of a line from the lowest ancestor that it has in common with `base` on, with that ancestor. */
export function sinceParting(base: Line, line: Line): Line {
  const shared = line.findLastIndex((ancestor, index) => base[index]?.ordinal === ancestor.ordinal);
  return line.slice(Math.max(0, shared));
}
