import type { Kysely } from 'kysely';
import type { Campaign } from '../../config/index.ts';
import { type CampaignRow, callTotals, callTotalsByModel, listEvents, type Tables } from '../../store/index.ts';
import { readTally } from '../recover/index.ts';
import { readArchive } from './archive.ts';
import { type CampaignStatus, statusOf } from './status.ts';
import { readTrials } from './trials.ts';
import { readVerdict } from './winner.ts';
import { readLacks } from './workers.ts';

/** Reads the status of a campaign that nobody works on as far as the caller knows. */
export type ReadStatus = (row: CampaignRow, campaign: Campaign) => Promise<CampaignStatus>;

/** What a status has of the jobs: seconds of reading where there are 100,000 of them. */
type Sums = Awaited<ReturnType<typeof readSums>>;

/**
 * Statuses from the database. What is read of the jobs is kept until the campaign has another event: whatever changes a job leaves one in
 * the same transaction. The rest is read each time.
 */
export function statusReader(db: Kysely<Tables>): ReadStatus {
  const known = new Map<number, { readonly event: number; readonly sums: Promise<Sums> }>();
  const sumsOf = async (row: CampaignRow, campaign: Campaign): Promise<Sums> => {
    // Before the jobs: what is written meanwhile is then read again the next time.
    const [latest] = await listEvents(db, { campaignId: row.id, order: 'descending', limit: 1 });
    const event = latest?.id ?? 0;
    const kept = known.get(row.id);
    if (kept?.event === event) return kept.sums;
    const sums = readSums(db, row, campaign);
    known.set(row.id, { event, sums });
    try {
      return await sums;
    } catch (error) {
      known.delete(row.id);
      throw error;
    }
  };
  return async (row, campaign) => {
    const sums = await sumsOf(row, campaign);
    const verdict = await readVerdict(db, row, campaign);
    const trials = await readTrials(db, row);
    const calls = await callTotals(db, row.id);
    const models = await callTotalsByModel(db, row.id);
    const waitsFor = await readLacks(db, row);
    const known = { ...sums, wallMs: row.wallMsUsed, flights: [], verdict, trials, calls, models, waitsFor };
    return statusOf(row, campaign, known, false);
  };
}

async function readSums(db: Kysely<Tables>, row: CampaignRow, campaign: Campaign) {
  const { tally, planned } = await readTally({ store: { db }, campaignId: row.id, campaign });
  const { elites: _elites, campaign: _name, ...archive } = await readArchive(db, row, campaign);
  // All candidates are of no more use once the best is known.
  return { tally: { ...tally, candidates: new Map() }, planned, archive };
}
