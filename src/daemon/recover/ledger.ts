import { countJobs, decidedTrials, type JobLine, type JobRow, listJobs, type Store } from '../../store/index.ts';
import type { Ledger } from '../restore.ts';
import { count, createTally, recount, type Tally } from '../tally.ts';
import { changesOf } from '../trials/index.ts';

/** Rows read at once. Each page is a query with joins: 200 of 500 jobs take 7 s, 10 of 10,000 take 3. */
const PAGE = 10_000;

/** The kinds of jobs that a budget is charged for. */
const CHARGED: ReadonlySet<JobRow['kind']> = new Set(['generate', 'seed']);

/** The tally of what is settled and the number of planned jobs that are charged, read back from the ledger. */
export async function readTally({ store, campaignId, campaign }: Ledger): Promise<{
  tally: Tally;
  planned: number;
}> {
  const tally = createTally();
  const [primary] = campaign.evaluator.objectives;
  const trials = Map.groupBy(await decidedTrials(store.db, campaignId), (trial) => trial.settled);
  const settled = await settledJobs(store.db, campaignId);
  for (const [place, { outcome, ...job }] of settled.entries()) {
    if (outcome === null || primary === undefined) continue;
    const before = trials.get(place) ?? [];
    for (const trial of before) recount(tally, changesOf(trial), primary);
    const own = before.find(({ challenger }) => challenger === job.ordinal);
    const scores = own?.challengerScores ?? job.scores;
    const numbers =
      outcome === 'candidate' ? { objectives: job.objectives, scores } : { objectives: null, scores: null };
    count(tally, { ...job, ...numbers, outcome, tried: own !== undefined }, primary);
  }
  if (primary !== undefined) {
    for (const trial of trials.get(settled.length) ?? []) recount(tally, changesOf(trial), primary);
  }
  return { tally, planned: await countCharged(store.db, campaignId) };
}

/** Jobs planned that a budget is charged for. */
export async function countCharged(db: Store['db'], campaignId: number): Promise<number> {
  const counts = await countJobs(db, campaignId);
  return counts.reduce((sum, { kind, jobs }) => sum + (CHARGED.has(kind) ? jobs : 0), 0);
}

/** The settled jobs in the order of settlement, which is the order of ordinals only in batches. */
async function settledJobs(db: Store['db'], campaignId: number): Promise<JobLine[]> {
  const jobs: JobLine[] = [];
  for (let after = -1; ; ) {
    const page = await listJobs(db, campaignId, { states: ['settled'] }, { order: 'ascending', after, limit: PAGE });
    jobs.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) break;
    after = last.ordinal;
  }
  return jobs.sort((a, b) => (a.settlement ?? 0) - (b.settlement ?? 0));
}
