import type { Kysely, Transaction } from 'kysely';
import { type Campaign, restoreCampaign } from '../config/index.ts';
import { ConflictError } from '../errors.ts';
import type { CoderChoice } from '../policy/index.ts';
import {
  appendEvents,
  askRetry,
  type CampaignRow,
  getJob,
  type JobRow,
  noteRetried,
  type Tables,
  tellLeader,
  type WaitingRetry,
  waitingRetries,
} from '../store/index.ts';
import type { Memory } from './memory.ts';
import type { Batch } from './plan.ts';
import { countCharged } from './recover/index.ts';
import type { Session } from './session.ts';

/** A job that is to be tried again; plain JSON. */
export interface RetryView {
  readonly campaign: string;
  readonly ordinal: number;
  /** False when it waited for that already. */
  readonly added: boolean;
  /** What has to be done before anything is planned; null when it is planned as things are. */
  readonly first: string | null;
}

/**
 * Lets a job be tried again: at the next planning it is planned anew, with the same base, inspirations, island and coder, as a job of its own
 * that is charged like any. Asked twice before that, it is tried once.
 * @throws NotFoundError, and ConflictError when there is nothing to try again.
 */
export async function retry(db: Kysely<Tables>, row: CampaignRow, ordinal: number): Promise<RetryView> {
  const { id, name } = row;
  const { job } = await getJob(db, id, ordinal);
  const refusal = refuse(name, job);
  if (refusal !== null) throw refusal;
  const first = missing(row, restoreCampaign(row).budget, await countCharged(db, id));
  const added = await db.transaction().execute(async (trx) => {
    if (!(await askRetry(trx, id, ordinal))) return false;
    await tellLeader(trx, id);
    await appendEvents(trx, [{ campaignId: id, kind: 'job.retry_asked', ordinal, data: {} }]);
    return true;
  });
  return { campaign: name, ordinal, added, first };
}

/** Why a job is not tried again, or null. Pure. */
export function refuse(
  name: string,
  { ordinal, kind, state, outcome }: Pick<JobRow, 'ordinal' | 'kind' | 'state' | 'outcome'>,
): ConflictError | null {
  const job = `job ${ordinal} of "${name}"`;
  if (kind !== 'generate') {
    return new ConflictError(`${job} was made by no agent that could try again`, {
      hint: 'only attempts of agents are tried again; clade seed brings in another commit',
    });
  }
  if (state === 'failed') {
    return new ConflictError(`${job} has ended but is not settled yet`, {
      hint: `whoever runs "${name}" settles it; ask again then`,
    });
  }
  if (state !== 'settled') {
    return new ConflictError(`${job} is not over yet`, { hint: `clade cancel ${name}:${ordinal} ends it` });
  }
  if (outcome === 'candidate') return new ConflictError(`${job} made a valid candidate: there is nothing to try again`);
  return null;
}

/** What has to be done before a campaign plans anything more, or null. Pure. */
export function missing(
  { name, state }: Pick<CampaignRow, 'name' | 'state'>,
  budget: Pick<Campaign['budget'], 'jobs'>,
  planned: number,
): string | null {
  if (planned >= budget.jobs) return 'budget.jobs is used up: raise it in campaign.yaml';
  if (state === 'finished')
    return `the campaign is finished: raise its budget and run it again, or clade resume ${name}`;
  return state === 'running' ? null : `the campaign is ${state}: clade resume ${name}`;
}

/** A job that tries another one again, as it is planned. */
export interface PlannedRetry {
  readonly retry: WaitingRetry;
  readonly ordinal: number;
  readonly island: number;
  readonly base: number;
  readonly inspirations: readonly number[];
  readonly decision: object;
  /** The coder that it had, where the campaign still has that one. */
  readonly coder: CoderChoice | null;
}

/** Those that wait, as the first jobs of what is planned. */
export async function nextRetries(
  { store, campaignId, campaign }: Session,
  islands: Memory['islands'],
  { nextOrdinal, count }: Batch,
): Promise<PlannedRetry[]> {
  const waiting = count === 0 ? [] : await waitingRetries(store.db, campaignId, count);
  return waiting.map((retry, index) => ({
    retry,
    ordinal: nextOrdinal + index,
    island: retry.island,
    base: retry.baseOrdinal ?? 0,
    inspirations: retry.inspirations,
    decision: { policy: 'retry', of: retry.ofOrdinal, version: islands[retry.island]?.history.length ?? 0 },
    coder: campaign.agents.coders.some(({ name }) => name === retry.coder)
      ? { coder: retry.coder ?? '', reason: { rule: 'again' } }
      : null,
  }));
}

/** Says which jobs try which again. */
export async function noteRetries(trx: Transaction<Tables>, planned: readonly PlannedRetry[]): Promise<void> {
  for (const { retry, ordinal } of planned) await noteRetried(trx, retry.id, ordinal);
}
