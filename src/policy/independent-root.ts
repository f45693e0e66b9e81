import type { Policy } from './policy.ts';
import { ROOT, soloJob, versionOf } from './solo.ts';

const NAME = 'independent-root';

/** Every job starts from the root and learns from nothing: what repeated trying gives [Loreley, arXiv:2608.19703]. */
export const independentRoot: Policy = {
  name: NAME,
  atOnce: Infinity,
  plan: (view, ordinals) =>
    ordinals.map((ordinal) => soloJob(view, ordinal, ROOT, { policy: NAME, version: versionOf(view), reason: 'root' })),
};
