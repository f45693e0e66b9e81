import type { Kysely, Transaction } from 'kysely';
import { appendEvents, type CampaignState, getCampaign, setCampaignState, type Tables } from '../store/index.ts';

/** Moves a campaign to a state and says so in an event; false, and nothing written, when it is in that state already. */
export async function moveCampaign(
  db: Kysely<Tables>,
  campaignId: number,
  state: CampaignState,
  cause: string | null,
): Promise<boolean> {
  return db.transaction().execute((trx) => moveCampaignIn(trx, campaignId, state, cause));
}

/** The same as a part of a transaction. */
export async function moveCampaignIn(
  trx: Transaction<Tables>,
  campaignId: number,
  state: CampaignState,
  cause: string | null,
): Promise<boolean> {
  if ((await getCampaign(trx, campaignId)).state === state) return false;
  await setCampaignState(trx, campaignId, state, cause);
  const kind = state === 'running' ? 'campaign.resumed' : `campaign.${state}`;
  await appendEvents(trx, [{ campaignId, kind, data: { cause } }]);
  return true;
}
