import type { FileChange, KeyFile, KeyFiles } from '../../agent/index.ts';
import type { FileDiff } from '../../git/index.ts';
import type { Stretch } from './line.ts';

/** Files that Git compares: of the base's lineage, and of each inspiration. */
const OF_LINEAGE = 24;
const OF_INSPIRATION = 12;

/** From the root to the base, and from where each inspiration parted from that to the inspiration. */
export interface Ways {
  readonly base: Stretch;
  readonly inspirations: readonly Stretch[];
}

type Standing = Pick<KeyFile, 'path' | 'steps' | 'inspirations'>;

/** The files that matter most: changed by most steps of the lineage, then by most inspirations, then by name. */
export function rankFiles({ base, inspirations }: Ways): Standing[] {
  const others = new Map<string, number[]>();
  for (const { line, times } of inspirations) {
    const ordinal = line.at(-1)?.ordinal ?? 0;
    for (const path of times.keys()) others.set(path, [...(others.get(path) ?? []), ordinal]);
  }
  return [...new Set([...base.times.keys(), ...others.keys()])]
    .map((path) => ({ path, steps: base.times.get(path) ?? 0, inspirations: others.get(path) ?? [] }))
    .sort((a, b) => b.steps - a.steps || b.inspirations.length - a.inspirations.length || (a.path < b.path ? -1 : 1));
}

/** The paths of the lineage that are compared: Git does no more than these, however much was changed. */
export function lineagePaths(ranked: readonly Standing[]): string[] {
  return ranked.slice(0, OF_LINEAGE).flatMap(({ path, steps }) => (steps > 0 ? [path] : []));
}

export function inspirationPaths({ times }: Stretch): string[] {
  return [...times.keys()].slice(0, OF_INSPIRATION);
}

/** The key files with their differences between root and base; of those changed equally often the largest difference first. */
export function keyFilesOf(ranked: readonly Standing[], base: Stretch, diffs: readonly FileDiff[]): KeyFiles {
  const known = new Map(diffs.map((diff) => [diff.path, diff]));
  const shown = ranked.slice(0, OF_LINEAGE).map((standing): KeyFile => {
    const { added, deleted, text = '', truncated = false } = known.get(standing.path) ?? { added: 0, deleted: 0 };
    const lines = added === undefined || deleted === undefined ? null : { added, deleted };
    return { ...standing, lines, diff: text, truncated };
  });
  const size = ({ lines }: KeyFile): number => (lines === null ? 0 : lines.added + lines.deleted);
  shown.sort((a, b) => b.steps - a.steps || b.inspirations.length - a.inspirations.length || size(b) - size(a));
  return { shown, more: Math.max(ranked.length, base.files) - shown.length };
}

/**
 * What an inspiration changed on its way, the files that its steps changed most often first.
 * @param asked the paths that Git compared
 */
export function changesOf(
  { times, files }: Stretch,
  diffs: readonly FileDiff[],
  asked: ReadonlySet<string>,
): { readonly diffs: readonly FileChange[]; readonly moreFiles: number } {
  const order = [...times.keys()].filter((path) => asked.has(path));
  const known = new Map(diffs.map((diff) => [diff.path, diff]));
  const shown = order.flatMap((path) => {
    const diff = known.get(path);
    // Changed and changed back.
    return diff === undefined ? [] : [{ path, diff: diff.text, truncated: diff.truncated }];
  });
  return { diffs: shown, moreFiles: files - order.length };
}
