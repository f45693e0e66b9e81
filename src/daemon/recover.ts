import { reconcileWorktrees } from '../git/index.ts';
import { removeFolder } from '../process/index.ts';
import {
  appendEvents,
  countJobs,
  decidedTrials,
  type JobLine,
  type JobRow,
  listJobs,
  reclaimUnfinished,
  type Store,
} from '../store/index.ts';
import { leading } from './leading.ts';
import type { Ledger } from './restore.ts';
import type { Session } from './session.ts';
import { count, createTally, recount, type Tally } from './tally.ts';
import { changesOf } from './trials/index.ts';

/** Rows of the ledger read at once. */
/** Each page is a query with joins: 200 of 500 jobs take 7 s, 10 of 10,000 take 3. */
const PAGE = 10_000;

/**
 * Puts everything that a dead process held back to work, and what this one holds without working on it: rows go back to their queues, under attempts that shut a
 * sleeper out. Returns how many pieces of work were taken back.
 */
export async function requeueUnfinished(session: Session): Promise<number> {
  const { queue, campaignId, claimant } = session;
  await queue.clear(campaignId);
  return leading(session, async (trx) => {
    const { jobs, evaluations, trials } = await reclaimUnfinished(trx, campaignId, claimant.worker);
    await queue.enqueue(
      trx,
      'generate',
      campaignId,
      jobs.map((ordinal) => ({ campaignId, ordinal })),
    );
    await queue.enqueue(trx, 'evaluate', campaignId, [...trials, ...evaluations]);
    const found = jobs.length + evaluations.length + trials.length;
    if (found > 0) {
      await appendEvents(trx, [
        {
          campaignId,
          kind: 'campaign.recovered',
          data: { jobs, evaluations: evaluations.length, trials: trials.length },
        },
      ]);
    }
    return found;
  });
}

/** Clears what a dead process left on the disk: scratch folders, and registrations of checkouts that are gone. */
export async function tidyDisk({ workshop }: Session): Promise<void> {
  await removeFolder(workshop.folders.scratch);
  await reconcileWorktrees(workshop.hub);
}

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
  const counts = await countJobs(store.db, campaignId);
  const planned = counts.reduce((sum, row) => sum + (CHARGED.has(row.kind) ? row.jobs : 0), 0);
  return { tally, planned };
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
