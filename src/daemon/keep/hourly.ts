import type { Transaction } from 'kysely';
import { getCampaign, type Tables } from '../../store/index.ts';
import { leading } from '../leading.ts';
import type { Session } from '../session.ts';
import { tidy } from './tidy.ts';

const PERIOD_MS = 3_600_000;

/** Tidies a campaign that is led here at its start and once an hour; to be called at every look of the loop. What cannot be removed now is removed later. */
export function hourly(session: Session, onWarning: (warning: string) => void): () => Promise<void> {
  const { store, campaignId, campaign, workshop } = session;
  const wanted = Object.values(campaign.keep).some((count) => count !== null);
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (!wanted || performance.now() - last < PERIOD_MS) return;
    last = performance.now();
    try {
      const transact = (work: (trx: Transaction<Tables>) => Promise<void>) => leading(session, work);
      const place = { db: store.db, workspace: workshop.workspace, transact };
      await tidy(place, await getCampaign(store.db, campaignId), campaign, false);
    } catch (error) {
      onWarning(`not tidied: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}
