import { isAbsolute, join, relative } from 'node:path';
import type { Campaign, Split } from '../config/index.ts';

/** Paths that one evaluation or agent sees and must not see, absolute. */
export interface Visibility {
  readonly shown: readonly string[];
  readonly masked: readonly string[];
}

/**
 * Which of the campaign's hidden paths an evaluation on `split` sees; null is an agent, which sees none. A path of the target
 * that is hidden is in every checkout of it, too; `checkouts` are those that are in sight.
 */
export function visibilityOf(
  { target, evaluator }: Pick<Campaign, 'target' | 'evaluator'>,
  split: Split | null,
  checkouts: readonly string[],
): Visibility {
  const seen = evaluator.hidden.filter(({ splits }) => split !== null && splits.includes(split));
  const shown = new Set(seen.map(({ path }) => path));
  const masked = new Set<string>();
  for (const { path } of evaluator.hidden) {
    if (shown.has(path)) continue;
    masked.add(path);
    for (const repository of [target.repository, target.mirror ?? target.repository].filter(isAbsolute)) {
      const inside = relative(repository, path);
      if (inside === '' || inside === '..' || inside.startsWith('../')) continue;
      for (const checkout of checkouts) masked.add(join(checkout, inside));
    }
  }
  return { shown: [...shown], masked: [...masked] };
}
