import { type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import type { MachineLoad } from '../process/index.ts';
import { storable, toJson } from './json.ts';
import type { EvaluationRow, EvaluationTable, Intervals, Numbers, Split, Tables } from './tables.ts';
import { type Claimant, measuredUnder } from './workers.ts';

/** What one measurement is about: equal trees of a campaign share it. */
export interface EvaluationKey {
  readonly campaignId: number;
  readonly tree: string;
  readonly split: Split;
}

/** The ticket of a claimed evaluation; see `JobClaim`. */
export interface EvaluationClaim extends EvaluationKey {
  readonly attempt: number;
}

interface Measured {
  readonly summary: string | null;
  readonly evidence: string | null;
  readonly stdoutTail: string | null;
  readonly stderrTail: string | null;
  readonly durationMs: number;
  readonly isolation: number | null;
  readonly machine?: MachineLoad | null;
  /** The ordinal whose measurement this is a copy of: its identity is the same. */
  readonly sharedWith?: number | null;
}

/** What the evaluator said and what it took. */
export type EvaluationResult =
  | (Measured & {
      readonly status: 'valid';
      readonly objectives: Numbers;
      readonly intervals: Intervals;
      /** What the search goes by. */
      readonly scores: Numbers;
      readonly metrics: Numbers;
      readonly features: Numbers;
      readonly identity: string | null;
    })
  | (Measured & { readonly status: 'invalid'; readonly kind: string });

/** Lets one transaction at a time decide whether a tree is to be measured: who asks must not find a row that is about to go. */
export async function lockTree(trx: Transaction<Tables>, campaignId: number, tree: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${tree}::text, ${campaignId}::bigint))`.execute(trx);
}

/** Asks for a measurement, in state `pending`. `exists` when this tree was asked for before: nothing is to be enqueued. */
export async function ensurePendingEvaluation(
  trx: Transaction<Tables>,
  key: EvaluationKey,
  asked: { readonly commit: string; readonly ordinal: number },
): Promise<'created' | 'exists'> {
  await lockTree(trx, key.campaignId, key.tree);
  const made = await trx
    .insertInto('evaluations')
    .values({ campaignId: key.campaignId, tree: key.tree, split: key.split, ...asked })
    .onConflict((conflict) => conflict.doNothing())
    .returning('tree')
    .execute();
  return made.length === 1 ? 'created' : 'exists';
}

/**
 * `pending` → `running` under the next attempt, for a worker; undefined when it is not there to be claimed, or another label measures this
 * campaign.
 */
export async function claimEvaluation(
  db: Kysely<Tables>,
  key: EvaluationKey,
  { worker, label }: Claimant,
): Promise<EvaluationRow | undefined> {
  return db
    .updateTable('evaluations')
    .set((eb) => ({ state: 'running' as const, attempt: eb('attempt', '+', 1), worker, startedAt: new Date() }))
    .where('campaignId', '=', key.campaignId)
    .where('tree', '=', key.tree)
    .where('split', '=', key.split)
    .where('state', '=', 'pending')
    .where(({ exists }) => exists(measuredUnder(db, key.campaignId, label)))
    .returningAll()
    .executeTakeFirst();
}

/** `running` → `done`. False, and nothing written, when the claim was lost. */
export async function finishEvaluation(
  trx: Transaction<Tables>,
  claim: EvaluationClaim,
  result: EvaluationResult,
): Promise<boolean> {
  const verdict: Updateable<EvaluationTable> =
    result.status === 'valid'
      ? {
          status: 'valid',
          objectives: toJson(result.objectives),
          intervals: toJson(result.intervals),
          scores: toJson(result.scores),
          metrics: toJson(result.metrics),
          features: toJson(result.features),
          identity: clean(result.identity),
        }
      : { status: 'invalid', kind: result.kind };
  return write(trx, claim, {
    ...verdict,
    state: 'done',
    summary: clean(result.summary),
    evidence: clean(result.evidence),
    stdoutTail: clean(result.stdoutTail),
    stderrTail: clean(result.stderrTail),
    durationMs: result.durationMs,
    isolation: result.isolation,
    machine: result.machine === undefined || result.machine === null ? null : toJson(result.machine),
    sharedWith: result.sharedWith ?? null,
    finishedAt: new Date(),
  });
}

/** `running` → `pending`: an infrastructure fault, or a shutdown. The attempt stays spent. False when the claim was lost. */
export async function requeueEvaluation(trx: Transaction<Tables>, claim: EvaluationClaim): Promise<boolean> {
  return write(trx, claim, { state: 'pending', startedAt: null });
}

export async function findEvaluation(db: Kysely<Tables>, key: EvaluationKey): Promise<EvaluationRow | undefined> {
  return db
    .selectFrom('evaluations')
    .selectAll()
    .where('campaignId', '=', key.campaignId)
    .where('tree', '=', key.tree)
    .where('split', '=', key.split)
    .executeTakeFirst();
}

/**
 * A finished valid measurement of the same identity on the same split, of another tree; of several the one that was really
 * made, then that of the lowest ordinal.
 */
export async function findByIdentity(
  db: Kysely<Tables>,
  { campaignId, tree, split }: EvaluationKey,
  identity: string,
): Promise<EvaluationRow | undefined> {
  return db
    .selectFrom('evaluations')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('split', '=', split)
    .where('identity', '=', storable(identity))
    .where('tree', '<>', tree)
    .where('status', '=', 'valid')
    .orderBy((eb) => eb('sharedWith', 'is not', null))
    .orderBy('ordinal')
    .limit(1)
    .executeTakeFirst();
}

/** The fenced write: only while the evaluation is `running` under this very attempt. */
async function write(
  trx: Transaction<Tables>,
  claim: EvaluationClaim,
  changes: Updateable<EvaluationTable>,
): Promise<boolean> {
  const outcome = await trx
    .updateTable('evaluations')
    .set(changes)
    .where('campaignId', '=', claim.campaignId)
    .where('tree', '=', claim.tree)
    .where('split', '=', claim.split)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'running')
    .executeTakeFirst();
  return outcome.numUpdatedRows === 1n;
}

function clean(text: string | null): string | null {
  return text === null ? null : storable(text);
}
