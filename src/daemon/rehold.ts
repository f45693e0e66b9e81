import { candidateRef, havePresent, updateRef } from '../git/index.ts';
import { findCandidate } from '../store/index.ts';
import type { WorkSession } from './work-session.ts';

/**
 * Gives the ref of a job back to the commit that is recorded for it: who lost the job to another worker moved it to its own before it could
 * know, and what no ref holds is collected.
 */
export async function rehold(
  { store, campaignId, workshop: { hub, campaign } }: WorkSession,
  ordinal: number,
): Promise<void> {
  const recorded = await findCandidate(store.db, campaignId, ordinal);
  if (recorded === undefined) return;
  await havePresent(hub, [recorded.commit]);
  await updateRef(hub, candidateRef(campaign.name, ordinal), recorded.commit);
}
