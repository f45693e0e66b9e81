import { type Kysely, sql, type Transaction, type Updateable } from 'kysely';
import { ConflictError } from '../errors.ts';
import { jobsWithFates } from './joined.ts';
import { toJson } from './json.ts';
import type { Intervals, Numbers, Tables, TrialMeasurement, TrialRow, TrialTable } from './tables.ts';
import { type Claimant, measuredUnder } from './workers.ts';

/** What travels in the queue. */
export interface TrialKey {
  readonly campaignId: number;
  /** From 0. */
  readonly trial: number;
}

/** The ticket of a claimed trial; see `JobClaim`. */
export type TrialClaim = Pick<TrialRow, 'campaignId' | 'number' | 'attempt'>;

/** A trial as it is asked for. Ordinals. */
export interface NewTrial {
  readonly cause: TrialRow['cause'];
  readonly challenger: number;
  readonly incumbent: number | null;
}

/** Asks for a trial, in state `pending`; its place is after all that is settled now. A candidate is challenger once at most. */
export async function beginTrial(trx: Transaction<Tables>, campaignId: number, trial: NewTrial): Promise<TrialRow> {
  return trx
    .insertInto('trials')
    .values({
      campaignId,
      ...trial,
      number: sql<number>`(select coalesce(max(t.number), -1) + 1 from trials t where t.campaign_id = ${campaignId})`,
      settled: sql<number>`(select coalesce(max(j.settlement), -1) + 1 from jobs j where j.campaign_id = ${campaignId})`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The trial that is not decided yet: there is one at a time. */
export async function openTrial(db: Kysely<Tables>, campaignId: number): Promise<TrialRow | undefined> {
  return db
    .selectFrom('trials')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('state', '<>', 'done')
    .executeTakeFirst();
}

/** `pending` → `running` under the next attempt; undefined when it is not there to be claimed. */
export async function claimTrial(
  db: Kysely<Tables>,
  { campaignId, trial }: TrialKey,
  { worker, label }: Claimant,
): Promise<TrialRow | undefined> {
  return db
    .updateTable('trials')
    .set((eb) => ({ state: 'running' as const, attempt: eb('attempt', '+', 1), worker, startedAt: new Date() }))
    .where('campaignId', '=', campaignId)
    .where('number', '=', trial)
    .where('state', '=', 'pending')
    .where(({ exists }) => exists(measuredUnder(db, campaignId, label)))
    .returningAll()
    .executeTakeFirst();
}

/** What was measured; settlement decides by it. False, and nothing written, when the claim was lost. */
export async function recordTrial(
  trx: Transaction<Tables>,
  claim: TrialClaim,
  measurements: readonly TrialMeasurement[],
): Promise<boolean> {
  return write(trx, claim, { measurements: toJson(measurements), finishedAt: new Date() });
}

/** `running` → `pending`: an infrastructure fault, or a shutdown. False when the claim was lost. */
export async function requeueTrial(trx: Transaction<Tables>, claim: TrialClaim): Promise<boolean> {
  return write(trx, claim, { state: 'pending', startedAt: null });
}

/** The fenced write: only while the trial is being measured under this very attempt. */
async function write(trx: Transaction<Tables>, claim: TrialClaim, changes: Updateable<TrialTable>): Promise<boolean> {
  const written = await trx
    .updateTable('trials')
    .set(changes)
    .where('campaignId', '=', claim.campaignId)
    .where('number', '=', claim.number)
    .where('attempt', '=', claim.attempt)
    .where('state', '=', 'running')
    .where('measurements', 'is', null)
    .executeTakeFirst();
  return written.numUpdatedRows === 1n;
}

/** What a trial came to. */
export interface TrialVerdict {
  readonly outcome: 'confirmed' | 'refuted';
  readonly challengerScores: Numbers | null;
  readonly incumbentScores: Numbers | null;
}

/**
 * Puts the verdict on a measured trial in force, in the transaction that writes what follows from it.
 * @throws ConflictError when it is not measured, or decided already.
 */
export async function decideTrial(
  trx: Transaction<Tables>,
  { campaignId, number }: Pick<TrialRow, 'campaignId' | 'number'>,
  { outcome, challengerScores, incumbentScores }: TrialVerdict,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('trials')
    .set({
      state: 'done',
      outcome,
      challengerScores: challengerScores === null ? null : toJson(challengerScores),
      incumbentScores: incumbentScores === null ? null : toJson(incumbentScores),
    })
    .where('campaignId', '=', campaignId)
    .where('number', '=', number)
    .where('state', '=', 'running')
    .where('measurements', 'is not', null)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  throw new ConflictError(`trial ${number} of campaign ${campaignId} cannot be decided: it is not measured, or it was`);
}

/** A trial that is in force. */
export interface DecidedTrial extends TrialRow {
  /** Whether the challenger was settled already: then its own scores changed, else it was settled with them. */
  readonly retrial: boolean;
}

/** By number, which is the order in which they came into force. */
export async function decidedTrials(db: Kysely<Tables>, campaignId: number): Promise<DecidedTrial[]> {
  const rows = await db
    .selectFrom('trials')
    .innerJoin('jobs', (join) =>
      join.onRef('jobs.campaignId', '=', 'trials.campaignId').onRef('jobs.ordinal', '=', 'trials.challenger'),
    )
    .selectAll('trials')
    .select('jobs.settlement as settlement')
    .where('trials.campaignId', '=', campaignId)
    .where('trials.state', '=', 'done')
    .orderBy('trials.number')
    .execute();
  return rows.map(({ settlement, ...row }) => ({ ...row, retrial: settlement !== null && settlement < row.settled }));
}

/** How many came to which end. */
export async function countTrials(
  db: Kysely<Tables>,
  campaignId: number,
): Promise<Record<'confirmed' | 'refuted', number>> {
  const rows = await db
    .selectFrom('trials')
    .select('outcome')
    .select((eb) => eb.fn.countAll<number>().as('trials'))
    .where('campaignId', '=', campaignId)
    .groupBy('outcome')
    .execute();
  const of = (outcome: TrialRow['outcome']) => rows.find((row) => row.outcome === outcome)?.trials ?? 0;
  return { confirmed: of('confirmed'), refuted: of('refuted') };
}

/** Those that a candidate was in, decided or not, by number. */
export async function trialsOf(db: Kysely<Tables>, campaignId: number, ordinal: number): Promise<TrialRow[]> {
  return db
    .selectFrom('trials')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where((eb) => eb.or([eb('challenger', '=', ordinal), eb('incumbent', '=', ordinal)]))
    .orderBy('number')
    .execute();
}

/** A candidate of a trial with what was measured of it first. */
export interface Contestant {
  readonly ordinal: number;
  readonly commit: string;
  readonly settled: boolean;
  readonly scores: Numbers;
  readonly intervals: Intervals;
  readonly identity: string | null;
}

/** Those of the ordinals that have a valid measurement on `train`. */
export async function contestants(
  db: Kysely<Tables>,
  campaignId: number,
  ordinals: readonly number[],
): Promise<Contestant[]> {
  const rows = await jobsWithFates(db)
    .select(['jobs.ordinal', 'jobs.settlement', 'candidates.commit'])
    .select(['evaluations.scores', 'evaluations.intervals', 'evaluations.identity'])
    .where('jobs.campaignId', '=', campaignId)
    .where('jobs.ordinal', 'in', ordinals)
    .execute();
  return rows.flatMap(({ ordinal, settlement, commit, scores, intervals, identity }) =>
    commit === null || scores === null
      ? []
      : [{ ordinal, commit, settled: settlement !== null, scores, intervals: intervals ?? {}, identity }],
  );
}

/**
 * What trials made of candidates, as a table to join by `ordinal`: the scores that the latest one gave; null where the candidate
 * failed in it.
 */
export function rulings(db: Kysely<Tables>, campaignId: number) {
  const done = db.selectFrom('trials').where('campaignId', '=', campaignId).where('state', '=', 'done');
  const ruled = done.select(['challenger as ordinal', 'number', 'challengerScores as scores']).unionAll(
    done
      .where('incumbentScores', 'is not', null)
      .where('incumbent', 'is not', null)
      .select((eb) => [eb.ref('incumbent').$notNull().as('ordinal'), 'number', 'incumbentScores as scores']),
  );
  return db
    .selectFrom(ruled.as('ruled'))
    .distinctOn('ruled.ordinal')
    .select(['ruled.ordinal', 'ruled.scores'])
    .orderBy('ruled.ordinal')
    .orderBy('ruled.number', 'desc');
}
