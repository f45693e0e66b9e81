import { appendEvents, beginTrial, isCancelled, type NewTrial, type Numbers, type Queue } from '../../store/index.ts';
import { type Leadership, leading } from '../leading.ts';
import type { Ledger } from '../restore.ts';

/** A ledger with the queue that its work waits in. */
export type Bench = Ledger & Leadership & { readonly queue: Pick<Queue, 'enqueue'> };

/** Asks for a trial, unless a person cancelled the challenger meanwhile: row, queue entry and event are one transaction. `scores` are those that made the challenger one. */
export async function beginTrialOf(bench: Bench, trial: NewTrial, scores: Numbers | null): Promise<void> {
  const { queue, campaignId } = bench;
  await leading(bench, async (trx) => {
    if (await isCancelled(trx, campaignId, trial.challenger)) return;
    const { number } = await beginTrial(trx, campaignId, trial);
    await queue.enqueue(trx, 'evaluate', campaignId, [{ campaignId, trial: number }]);
    const { challenger, ...data } = trial;
    await appendEvents(trx, [
      { campaignId, kind: 'trial.begun', ordinal: challenger, data: { trial: number, ...data, scores } },
    ]);
  });
}
