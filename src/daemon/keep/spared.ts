import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import { type CampaignRow, listFinals, type Tables } from '../../store/index.ts';
import { readTally } from '../recover/index.ts';
import { readArchive } from '../views/archive.ts';

/** The jobs of which everything stays: the root, what the archive retains (all candidates until it is fitted), the best, every finalist and the winner. */
export async function sparedOf(db: Kysely<Tables>, row: CampaignRow, campaign: Campaign): Promise<number[]> {
  const { elites, warmup } = await readArchive(db, row, campaign);
  const { tally } = await readTally({ store: { db }, campaignId: row.id, campaign });
  const finals = await listFinals(db, row.id);
  const all = [
    0,
    ...elites.map(({ ordinal }) => ordinal),
    ...(warmup === null ? [] : tally.candidates.keys()),
    ...(tally.best === null ? [] : [tally.best.ordinal]),
    ...(row.winner === null ? [] : [row.winner]),
    ...finals.flatMap(({ finalists }) => finalists),
  ];
  return [...new Set(all)].sort((a, b) => a - b);
}
