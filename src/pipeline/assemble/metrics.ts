import type { Numbers } from '../../store/index.ts';

/**
 * Names of the metrics that a brief tells, the same for every candidate in it: of those of the base the ones that moved most
 * since the root, by |b − r| / max(|b|, |r|); then those that the root does not have; equal ones in the order of their names.
 */
export function toldMetrics(base: Numbers | null, root: Numbers | null, count: number): string[] {
  const moved = (name: string): number => {
    const [to, from] = [base?.[name] ?? 0, root?.[name]];
    if (from === undefined) return -1;
    return to === from ? 0 : Math.abs(to - from) / Math.max(Math.abs(to), Math.abs(from));
  };
  return Object.keys(base ?? {})
    .map((name) => ({ name, moved: moved(name) }))
    .sort((a, b) => b.moved - a.moved || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}
