import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Campaign, Criterion } from '../config/index.ts';
import { InfrastructureError } from '../errors.ts';
import type { Describer } from '../pipeline/index.ts';
import { staleness } from '../policy/index.ts';
import type { Population } from '../qd/index.ts';
import {
  appendEvents,
  findEarlier,
  markSettled,
  type NewEvent,
  openTrial,
  type Settleable,
  settleable,
  type Tables,
  type Unsettled,
  unsettled,
} from '../store/index.ts';
import { admit, prepare } from './admit.ts';
import { changeOfBest, leaderOf } from './best.ts';
import { leading } from './leading.ts';
import { inSpan } from './log/index.ts';
import type { Memory } from './memory.ts';
import { dueForRework, returnDue } from './rework/index.ts';
import { type Best, bestOf, count, recount, type SettledJob, startsFresh, type Tally } from './tally.ts';
import { type Bench, beginTrialOf, changesBy, enforce, type Ruling, rule, trialFor } from './trials/index.ts';

/** The part of a stored decision that tells how much its policy had seen. */
const versionSchema = z.object({ version: z.int() });

/** The part of a session that settling looks at. */
export type Court = Bench & {
  readonly describer: Pick<Describer, 'provider' | 'descriptor' | 'root' | 'facts'>;
};

/** What one look at the ledger led to. */
export interface Settled {
  /** Jobs settled and trials decided. */
  readonly settled: number;
  /** Whether another look may find more: what waited behind a trial. What ends later is told by whoever ends it. */
  readonly more: boolean;
}

const NOTHING: Settled = { settled: 0, more: false };

/** What settling needs besides the session. */
export interface SettleOptions {
  readonly onSettled: (job: SettledJob) => void;
  /** Ends a fit that is under way. */
  readonly signal: AbortSignal;
}

/**
 * Settles every job whose fate is known, in the order of the schedule: each in one transaction that holds its verdict, its
 * placements and its events. A candidate that has to be measured again first holds up all behind it: until its trial is decided
 * nothing is settled, so nothing can be built on it. Jobs that go back to their coders are sent there. When it throws, `memory`
 * may be ahead of the database and must be restored.
 */
export async function settleReady(session: Court, memory: SettledMemory, options: SettleOptions): Promise<Settled> {
  const { store, campaignId, campaign } = session;
  const { mode, size } = campaign.search.schedule;
  const [primary] = campaign.evaluator.objectives;
  if (primary === undefined) throw new RangeError('a campaign has at least one objective');
  const order = mode === 'batch' ? 'ordinal' : 'done';
  const jobs = await finalJobs(session, order, size + 1);
  const trial = await openTrial(store.db, campaignId);
  if (trial !== undefined && trial.measurements === null) return NOTHING;
  if (trial !== undefined) {
    const ruling = await rule(session, trial, memory.tally.best?.scores ?? {});
    const job = jobs.find(({ ordinal }) => ordinal === trial.challenger);
    if (ruling.retrial) await decideAlone(session, memory, ruling, primary);
    else if (job !== undefined) await settleJob(session, memory, { job, ruling }, options);
    else throw new InfrastructureError(`job ${trial.challenger} waits for a trial and is not there to be settled`);
    return { settled: 1, more: true };
  }
  const untried = untriedLeader(campaign, memory.tally);
  if (untried !== null) {
    const incumbent = bestOf(memory.tally, primary, 'fresh')?.ordinal ?? null;
    await beginTrialOf(session, { cause: 'lead', challenger: untried.ordinal, incumbent }, untried.scores);
    return NOTHING;
  }
  for (const [settled, job] of jobs.entries()) {
    const done = await inSpan('settle', { 'clade.campaign': campaign.name, 'clade.job': job.ordinal }, () =>
      settleJob(session, memory, { job, ruling: null }, options),
    );
    if (!done) return { settled, more: false };
  }
  return { settled: jobs.length, more: jobs.length > size };
}

/** What can be settled now. What goes back to its coder is sent there, by the same look at the ledger: nothing is ever both. */
async function finalJobs(court: Court, order: 'ordinal' | 'done', limit: number): Promise<Unsettled[]> {
  const { store, campaignId, campaign } = court;
  const jobs = await unsettled(store.db, campaignId, limit);
  const due = await dueForRework(store.db, jobs, campaign.agents.rework);
  await returnDue(court, due);
  return settleable(jobs, order, (job) => due.has(job));
}

/**
 * A settled candidate whose first, lucky measurement would make it the leader after the scores of others fell. It has to be tried
 * before anything is planned. Pure.
 */
export function untriedLeader({ evaluator }: Campaign, { best }: Tally): Best | null {
  return evaluator.remeasure.incumbent && best !== null && !best.fresh ? best : null;
}

/** The folds of the ledger that settling moves on. */
export type SettledMemory = Pick<Memory, 'islands' | 'tally'>;

/** A trial of somebody who is settled already. */
async function decideAlone(
  session: Court,
  { islands, tally }: SettledMemory,
  ruling: Ruling,
  primary: Criterion,
): Promise<void> {
  const before = leaderOf(tally, primary);
  await leading(session, async (trx) => {
    const decided = await enforce(trx, session, islands, ruling);
    recount(tally, changesBy(ruling), primary);
    await appendEvents(trx, [...decided, ...changeOfBest(session.campaignId, before, tally, primary)]);
  });
}

interface Case {
  readonly job: Settleable;
  /** Of the trial that the job waited for. */
  readonly ruling: Ruling | null;
}

/**
 * Settles a job, or sends it to a trial; says whether it did the first. Nobody else settles, so what is read before the transaction still
 * holds in it; a fit would keep the database waiting.
 */
async function settleJob(
  session: Court,
  { islands, tally }: SettledMemory,
  { job, ruling }: Case,
  { onSettled, signal }: SettleOptions,
): Promise<boolean> {
  const { campaignId, campaign, store } = session;
  const { ordinal, commit, title } = job;
  const [primary] = campaign.evaluator.objectives;
  if (primary === undefined) throw new RangeError('a campaign has at least one objective');
  const first = await fateOf(store.db, campaignId, job);
  if (first.outcome === 'candidate' && ruling === null && job.scores !== null) {
    const challenger = { ordinal, scores: job.scores, fresh: startsFresh(job.kind) };
    const cause = trialFor(campaign.evaluator.remeasure, tally.best, challenger, primary);
    if (cause !== null) {
      const incumbent = cause === 'lead' ? (tally.best?.ordinal ?? null) : null;
      await beginTrialOf(session, { cause, challenger: ordinal, incumbent }, job.scores);
      return false;
    }
  }
  const fate = { ...(ruling === null ? first : afterTrial(first, ruling)), ...stalenessOf(islands, job) };
  const standing = ruling?.challenger ?? { scores: job.scores ?? {}, intervals: job.intervals ?? {} };
  const isCandidate = fate.outcome === 'candidate';
  const admissions = isCandidate ? await prepare(session, islands, { job, standing }, signal) : [];
  const settled: SettledJob = {
    ordinal,
    kind: job.kind,
    commit,
    title,
    outcome: fate.outcome,
    stage: fate.stage ?? null,
    failureKind: fate.failureKind ?? null,
    reason: fate.reason ?? null,
    staleness: fate.staleness ?? null,
    objectives: isCandidate ? job.objectives : null,
    scores: isCandidate ? standing.scores : null,
    tried: ruling !== null,
    baseOrdinal: job.baseOrdinal,
    coder: job.coder,
    usage: job.usage,
  };
  const before = leaderOf(tally, primary);
  await leading(session, async (trx) => {
    const decided = ruling === null ? [] : await enforce(trx, session, islands, ruling);
    const settlement = await markSettled(trx, campaignId, { ordinal, was: job.state, ...fate });
    const events: NewEvent[] = [{ campaignId, kind: 'job.settled', ordinal, data: fate }];
    for (const admission of admissions) events.push(...(await admit(session, trx, admission, settlement)));
    if (ruling !== null) recount(tally, changesBy(ruling), primary);
    count(tally, settled, primary);
    await appendEvents(trx, [...events, ...decided, ...changeOfBest(campaignId, before, tally, primary)]);
  });
  onSettled(settled);
  return true;
}

/** A candidate that fails when it is measured again is none. */
function afterTrial(fate: Fate, { refusal }: Ruling): Fate {
  if (fate.outcome !== 'candidate' || refusal === null) return fate;
  const { kind, summary } = refusal;
  return { outcome: 'invalid', stage: 'evaluate', failureKind: kind, reason: `when measured again: ${summary}` };
}

type Fate = Omit<Parameters<typeof markSettled>[2], 'ordinal' | 'was'>;

/** A repeated tree or identity is a duplicate of the lower ordinal, whichever of the two was measured. */
async function fateOf(db: Kysely<Tables>, campaignId: number, job: Settleable): Promise<Fate> {
  const { stage, failureKind, reason } = job;
  if (job.tree === null) {
    return {
      outcome: job.outcome ?? 'failed',
      ...(stage === null ? {} : { stage }),
      ...(failureKind === null ? {} : { failureKind }),
      ...(reason === null ? {} : { reason }),
    };
  }
  const earlier = await findEarlier(db, campaignId, { tree: job.tree, identity: job.identity });
  if (earlier !== undefined) {
    const reason = `the same ${earlier.by} as job ${earlier.ordinal}`;
    return { outcome: 'duplicate', duplicateOf: earlier.ordinal, reason };
  }
  if (job.status === 'valid') return { outcome: 'candidate' };
  const kind = job.invalidKind ?? 'other';
  return { outcome: 'invalid', stage: 'evaluate', failureKind: kind, reason: job.verdict ?? kind };
}

/** How old the knowledge was that the job was planned with. The root was planned with none. */
function stalenessOf(islands: readonly Population[], { decision, island }: Settleable): { staleness?: number } {
  const planned = versionSchema.safeParse(decision);
  const population = islands[island];
  if (!planned.success || population === undefined) return {};
  return { staleness: staleness(planned.data, population.history.length) };
}
