import type { Transaction } from 'kysely';
import { elites, type Population } from '../../qd/index.ts';
import { keepRetained, type Tables } from '../../store/index.ts';
import type { Session } from '../session.ts';

/** Keeps what every island retains as a batch is planned, in the transaction of the plan; where novelty is looked at. */
export async function noteRetained(
  { campaignId, campaign }: Pick<Session, 'campaignId' | 'campaign'>,
  trx: Transaction<Tables>,
  islands: readonly Population[],
  batch: number,
): Promise<void> {
  if (campaign.agents.novelty === 0) return;
  const retained = islands.map(({ archive }) =>
    archive === null ? [] : elites(archive).map(({ entry }) => entry.ordinal),
  );
  await keepRetained(trx, { campaignId, batch }, retained);
}
