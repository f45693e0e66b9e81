import type { Criterion } from '../config/index.ts';
import type { NewEvent } from '../store/index.ts';
import { beats, gainOf } from './gain.ts';
import type { Best, Tally } from './tally.ts';

/** The best that is worth telling of: what a status calls the best, while it beats the root by more than ε. Pure. */
export function leaderOf({ best, root }: Tally, primary: Criterion): Best | null {
  return beats(best?.scores, root?.scores, primary) ? best : null;
}

/**
 * The event of another leader, none where it is the same. Its job is the root when nothing beats that any more: a trial may take back what
 * was announced. New scores of the same leader are no change. Pure.
 */
export function changeOfBest(campaignId: number, before: Best | null, tally: Tally, primary: Criterion): NewEvent[] {
  const after = leaderOf(tally, primary);
  if (before?.ordinal === after?.ordinal) return [];
  const best = after ?? tally.root;
  if (best === null) return [];
  const { ordinal, commit, title, objectives, scores } = best;
  const gain = gainOf(tally.root?.scores, scores, primary);
  const data = { commit, title, objectives, scores, gain, before: before?.ordinal ?? 0 };
  return [{ campaignId, kind: 'campaign.best', ordinal, data }];
}
