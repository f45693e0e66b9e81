import type { Kysely, Transaction, Updateable } from 'kysely';
import { storable, toJson } from './json.ts';
import type { JobRow, JobTable, Tables } from './tables.ts';

/**
 * The ticket of a claimed job. Every write of a worker names the attempt it was given, so a worker that slept past its
 * lease finds that its attempt is no longer the current one, writes nothing, and is told by `false`.
 */
export interface JobClaim {
  readonly campaignId: number;
  readonly ordinal: number;
  readonly attempt: number;
}

/** What a worker knows of a proposal whether or not it became a candidate. */
export interface ProposalRecord {
  readonly title?: string | null;
  readonly summary?: string | null;
  readonly brief?: string | null;
  readonly transcript?: string | null;
  /** What the planner wrote. */
  readonly plan?: string | null;
  readonly usage?: unknown;
  /** The name of the coder. */
  readonly coder?: string;
}

export interface CandidateRecord extends ProposalRecord {
  readonly commit: string;
  readonly tree: string;
  readonly parentCommit: string | null;
  readonly files: number;
  readonly added: number;
  readonly deleted: number;
  readonly changedPaths: readonly string[];
}

export interface FailureRecord extends ProposalRecord {
  readonly outcome: 'failed' | 'no_change';
  readonly stage: string;
  readonly kind: string;
  readonly reason: string;
}

/** `queued` → `generating` under the next attempt, for a worker; undefined when the job is not there to be claimed. */
export async function claimJob(
  db: Kysely<Tables>,
  campaignId: number,
  ordinal: number,
  worker: string,
): Promise<JobRow | undefined> {
  return db
    .updateTable('jobs')
    .set((eb) => ({ state: 'generating' as const, attempt: eb('attempt', '+', 1), worker, startedAt: new Date() }))
    .where('campaignId', '=', campaignId)
    .where('ordinal', '=', ordinal)
    .where('state', '=', 'queued')
    .returningAll()
    .executeTakeFirst();
}

/**
 * `generating` → `generated`, with its candidate in the place of one of an earlier round. False, and nothing written, when the claim
 * was lost.
 */
export async function recordCandidate(
  trx: Transaction<Tables>,
  claim: JobClaim,
  candidate: CandidateRecord,
): Promise<boolean> {
  const held = await finish(trx, claim, { state: 'generated', finishedAt: new Date(), ...columnsOf(candidate) });
  if (!held) return false;
  const { commit, tree, parentCommit, files, added, deleted } = candidate;
  const made = { commit, tree, parentCommit, files, added, deleted, changedPaths: toJson(candidate.changedPaths) };
  await trx
    .insertInto('candidates')
    .values({ campaignId: claim.campaignId, ordinal: claim.ordinal, ...made })
    .onConflict((conflict) => conflict.columns(['campaignId', 'ordinal']).doUpdateSet(made))
    .execute();
  return true;
}

/**
 * `generating` → `generated` with the candidate that the job has already: a later round made nothing of its own. Title and summary
 * stay the candidate's; of the round that made nothing the brief and the transcript are kept. False when the claim was lost.
 */
export async function recordStanding(
  trx: Transaction<Tables>,
  claim: JobClaim,
  round: Omit<ProposalRecord, 'title' | 'summary'>,
): Promise<boolean> {
  const { title: _, summary: _summary, ...columns } = columnsOf(round);
  return finish(trx, claim, { state: 'generated', finishedAt: new Date(), ...columns });
}

/** Keeps what the planner of a job wrote while its coder is still to be asked. False when the claim was lost. */
export async function recordPlan(
  db: Kysely<Tables>,
  claim: JobClaim,
  { plan, transcript, usage }: { readonly plan: string; readonly transcript: string; readonly usage: unknown },
): Promise<boolean> {
  return finish(db, claim, { plan: clean(plan), transcript: clean(transcript), usage: toJson(usage) });
}

/** `generating` → `failed`: the job ended without a candidate. False when the claim was lost. */
export async function recordFailure(
  trx: Transaction<Tables>,
  claim: JobClaim,
  failure: FailureRecord,
): Promise<boolean> {
  return finish(trx, claim, {
    state: 'failed',
    outcome: failure.outcome,
    stage: failure.stage,
    failureKind: failure.kind,
    reason: storable(failure.reason),
    finishedAt: new Date(),
    ...columnsOf(failure),
  });
}

/** `generating` → `queued`: it was not the candidate's fault. The attempt stays spent. False when the claim was lost. */
export async function requeueJob(trx: Transaction<Tables>, claim: JobClaim): Promise<boolean> {
  return finish(trx, claim, { state: 'queued', startedAt: null });
}

/** The fenced write: only while the job is `generating` under this very attempt. */
async function finish(trx: Kysely<Tables>, claim: JobClaim, changes: Updateable<JobTable>): Promise<boolean> {
  const result = await trx
    .updateTable('jobs')
    .set(changes)
    .where('campaignId', '=', claim.campaignId)
    .where('ordinal', '=', claim.ordinal)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'generating')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

function columnsOf(proposal: ProposalRecord): Updateable<JobTable> {
  return {
    title: clean(proposal.title),
    summary: clean(proposal.summary),
    brief: clean(proposal.brief),
    transcript: clean(proposal.transcript),
    plan: clean(proposal.plan),
    usage: proposal.usage === undefined ? null : toJson(proposal.usage),
    ...(proposal.coder === undefined ? {} : { coder: proposal.coder }),
  };
}

function clean(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storable(text);
}
