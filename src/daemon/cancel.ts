import type { Kysely } from 'kysely';
import { ConflictError, NotFoundError } from '../errors.ts';
import { appendEvents, type CampaignRow, cancelJob, type JobState, type Tables, tellLeader } from '../store/index.ts';

/** A job that was cancelled; plain JSON. */
export interface CancelView {
  readonly campaign: string;
  readonly ordinal: number;
  /** What it was until then. */
  readonly was: JobState;
}

/**
 * Cancels a job: it ends as `failed` at the stage `cancelled`, charged to the budget like any. Whoever works on it finds its claim void.
 * @throws NotFoundError, and ConflictError when there is nothing left to cancel.
 */
export async function cancel(db: Kysely<Tables>, { id, name }: CampaignRow, ordinal: number): Promise<CancelView> {
  const done = await db.transaction().execute(async (trx) => {
    const cancelled = await cancelJob(trx, id, ordinal, 'cancelled by the user');
    if (cancelled.kind === 'cancelled') {
      await tellLeader(trx, id);
      await appendEvents(trx, [{ campaignId: id, kind: 'job.cancelled', ordinal, data: { was: cancelled.was } }]);
    }
    return cancelled;
  });
  if (done.kind === 'cancelled') return { campaign: name, ordinal, was: done.was };
  switch (done.because) {
    case 'not there':
      throw new NotFoundError(`there is no job ${ordinal} in "${name}"`);
    case 'over':
      throw new ConflictError(`job ${ordinal} of "${name}" is over already`);
    case 'not a job':
      throw new ConflictError(`${ordinal} of "${name}" is no attempt that could be cancelled`, {
        hint: 'the root and minimised candidates are charged to no budget',
      });
    case 'on trial':
      throw new ConflictError(`job ${ordinal} of "${name}" is measured for the second time: its result stands`, {
        hint: 'wait for the trial; all that is settled after it depends on it',
      });
  }
}
