import { type Entry, primaryBound } from '../qd/index.ts';
import type { Policy } from './policy.ts';
import { ROOT, soloJob, versionOf } from './solo.ts';

const NAME = 'sequential-champion';

/**
 * Hill climbing [Loreley, arXiv:2608.19703]: one job at a time, from the candidate whose primary objective is at least the best — by
 * the lower end of its interval, so that a lucky measurement is no champion. The earliest of equals stays.
 */
export const sequentialChampion: Policy = {
  name: NAME,
  atOnce: 1,
  plan(view, ordinals) {
    const champion = championOf(view.population.history);
    return ordinals.map((ordinal) =>
      champion === null
        ? soloJob(view, ordinal, ROOT, { policy: NAME, version: versionOf(view), reason: 'root' })
        : soloJob(view, ordinal, champion.ordinal, {
            policy: NAME,
            version: versionOf(view),
            reason: 'champion',
            bound: primaryBound(champion),
          }),
    );
  },
};

function championOf(history: readonly Entry[]): Entry | null {
  return history.reduce<Entry | null>((best, entry) => {
    if (entry.withdrawn === true) return best;
    return best === null || primaryBound(entry) > primaryBound(best) ? entry : best;
  }, null);
}
