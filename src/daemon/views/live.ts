import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import { type CampaignRow, callTotals, callTotalsByModel, type Tables } from '../../store/index.ts';
import type { Snapshot } from '../runner.ts';
import { type CampaignStatus, glance, statusOf } from './status.ts';
import { readTrials } from './trials.ts';
import { readVerdict } from './winner.ts';
import { readLacks } from './workers.ts';

/** The status of a campaign that this process leads: its jobs as the runner has them in memory. */
export async function readLive(
  db: Kysely<Tables>,
  row: CampaignRow,
  campaign: Campaign,
  { islands, ...snapshot }: Snapshot,
): Promise<CampaignStatus> {
  const verdict = await readVerdict(db, row, campaign);
  const trials = await readTrials(db, row);
  const calls = await callTotals(db, row.id);
  const models = await callTotalsByModel(db, row.id);
  const waitsFor = await readLacks(db, row);
  const known = { ...snapshot, archive: glance(islands), verdict, trials, calls, models, waitsFor };
  return statusOf(row, campaign, known, true);
}
