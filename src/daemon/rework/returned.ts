import type { Transaction } from 'kysely';
import {
  appendEvents,
  type Queue,
  type Return,
  type Returning,
  sendBack,
  type Tables,
  type Unsettled,
} from '../../store/index.ts';
import { type Leadership, leading } from '../leading.ts';
import { evidenceOf } from './evidence.ts';

/** What sending back needs of a session. */
type Sender = Leadership & { readonly queue: Pick<Queue, 'enqueue'> };

/** Sends jobs back to their coders, each in one transaction: revision, row, queue entry, event. */
export async function returnDue(sender: Sender, due: Iterable<Unsettled>): Promise<void> {
  const { db } = sender.store;
  for (const job of due) {
    const { campaignId, tree, verdict, invalidKind } = job;
    const evidence = tree === null ? '' : await evidenceOf(db, { campaignId, tree });
    const reason = `${invalidKind}: ${verdict ?? 'refused'}`;
    await leading(sender, (trx) => goBack(sender, trx, job, { cause: 'rework', reason, evidence }));
  }
}

/** Sends one job back in the caller's transaction. False, and nothing written, when it is not there to go back. */
export async function goBack(
  { queue }: Pick<Sender, 'queue'>,
  trx: Transaction<Tables>,
  job: Returning,
  why: Return,
): Promise<boolean> {
  const { campaignId, ordinal, round } = job;
  if (!(await sendBack(trx, job, why))) return false;
  await queue.enqueue(trx, 'generate', campaignId, [{ campaignId, ordinal }]);
  const { cause, reason } = why;
  await appendEvents(trx, [{ campaignId, kind: 'job.reworked', ordinal, data: { round: round + 1, cause, reason } }]);
  return true;
}
