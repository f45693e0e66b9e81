import type { Lead, Store } from '../../store/index.ts';
import type { Turns } from '../turns.ts';

/** Does a piece of work as the one who leads the campaign; null, and nothing is done, where somebody else does. */
export type AsLeader = <T>(work: (lead: Lead) => Promise<T>) => Promise<T | null>;

/** By a lead that is held. */
export function leadingBy(lead: Lead, lost: AbortSignal): AsLeader {
  return async (work) => (lost.aborted ? null : work(lead));
}

/** By a lead that is taken for each piece of work, if nobody has it, and given back: a campaign that rests is anybody's to open. */
export function inPassing(
  store: Store,
  turns: Turns,
  campaign: { readonly id: number; readonly name: string },
): AsLeader {
  return (work) =>
    turns.take(campaign.name, async () => {
      const waiting = { signal: AbortSignal.abort(), onWait: () => {}, silenceSeconds: 60 };
      const lead = await store.lead(campaign.id, waiting);
      if (lead === null) return null;
      try {
        return await work(lead);
      } finally {
        await lead.release();
      }
    });
}
