import type { Relative, Step } from '../../agent/index.ts';
import type { Ancestor } from '../../store/index.ts';

export function stepOf({ ordinal, title, objectives, files, added, deleted, changedPaths }: Ancestor): Step {
  return {
    ordinal,
    title: title ?? `candidate ${ordinal}`,
    objectives,
    extent: ordinal === 0 ? null : { files, added, deleted },
    paths: changedPaths,
  };
}

/** @param metrics names of those that are told, where it has them */
export function relativeOf(ancestor: Ancestor, metrics: readonly string[]): Relative {
  const told = metrics.flatMap((name) => {
    const number = ancestor.metrics?.[name];
    return number === undefined ? [] : [[name, number] as const];
  });
  return {
    ...stepOf(ancestor),
    intervals: ancestor.intervals ?? {},
    metrics: Object.fromEntries(told),
    summary: ancestor.summary ?? '',
    evidence: ancestor.evidence ?? '',
  };
}
