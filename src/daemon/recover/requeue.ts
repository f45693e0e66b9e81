import { appendEvents, bookAbandoned, reclaimUnfinished } from '../../store/index.ts';
import { leading } from '../leading.ts';
import type { Session } from '../session.ts';

/**
 * Puts everything that a dead process held back to work, and what this one holds without working on it: rows go back to their queues, under attempts that shut a
 * sleeper out. Returns how many pieces of work were taken back.
 * @param idle a worker that lives and works on nothing of it: this one, unless it is at work
 */
export async function requeueUnfinished(session: Session, idle: string | null): Promise<number> {
  const { queue, campaignId } = session;
  await queue.clear(campaignId);
  return leading(session, async (trx) => {
    const { jobs, evaluations, trials } = await reclaimUnfinished(trx, campaignId, idle);
    const calls = await bookAbandoned(trx, campaignId);
    await queue.enqueue(
      trx,
      'generate',
      campaignId,
      jobs.map((ordinal) => ({ campaignId, ordinal })),
    );
    await queue.enqueue(trx, 'evaluate', campaignId, [...trials, ...evaluations]);
    const found = jobs.length + evaluations.length + trials.length;
    if (found + calls > 0) {
      await appendEvents(trx, [
        {
          campaignId,
          kind: 'campaign.recovered',
          data: { jobs, evaluations: evaluations.length, trials: trials.length, calls },
        },
      ]);
    }
    return found;
  });
}
