import type { Transaction } from 'kysely';
import { InfrastructureError } from '../errors.ts';
import { extentOf } from '../git/index.ts';
import { assemble, type Generated, generate, type Lanes, sumUsage } from '../pipeline/index.ts';
import {
  appendEvents,
  claimJob,
  type EvaluationKey,
  ensurePendingEvaluation,
  findCandidate,
  holdsJob,
  type JobRow,
  type NewEvent,
  type ProposalRecord,
  putRepositoryVector,
  type QueuePayloads,
  recordCandidate,
  recordFailure,
  recordPlan,
  recordStanding,
  requeueJob,
  type Tables,
} from '../store/index.ts';
import { mayBlameJob } from './blame.ts';
import { createFaults } from './faults.ts';
import { giveBack, writeOff } from './give-back.ts';
import { reporting } from './leading.ts';
import { type Fields, inJob, type Log } from './log/index.ts';
import { rehold } from './rehold.ts';
import { goBack, type Look, lookForNovelty, resume } from './rework/index.ts';
import { usageOf } from './usage.ts';
import type { WorkSession } from './work-session.ts';
import type { WorkerDeps } from './workers.ts';

/** Claims of a round that fails of itself before it is recorded as failed. */
const MAX_ATTEMPTS = 3;

/** Claims a job, has its proposal made and records what became of it: the whole of a worker's part in it. */
export async function generateJob(
  deps: WorkerDeps,
  lanes: Lanes,
  { ordinal }: QueuePayloads['generate'],
  outer: AbortSignal,
): Promise<void> {
  const { session } = deps;
  const job = await claimJob(session.store.db, session.campaignId, ordinal, session.claimant.worker);
  if (job === undefined) return;
  const { attempt, round } = job;
  const part = { ordinal, stage: 'generate', attempt, round } as const;
  await inJob(session.logs, part, (log) => generateClaimed(deps, lanes, job, log, outer));
}

async function generateClaimed(
  deps: WorkerDeps,
  lanes: Lanes,
  job: JobRow,
  log: Log,
  outer: AbortSignal,
): Promise<void> {
  const { session, flights, faults, holds } = deps;
  const { store, workshop, makers } = session;
  const { ordinal } = job;
  log.info({ base: job.baseOrdinal, inspirations: job.inspirations, coder: job.coder }, 'claimed');
  flights.enter(ordinal, 'generate');
  using hold = holds.hold(() => holdsJob(store.db, job), outer);
  const { signal } = hold;
  let made = false;
  /** Nobody has to look before the evaluation that was asked for is over. */
  let asked = false;
  try {
    const input = await resume(session, job, await assemble(store.db, workshop, job));
    const generated = await lanes.use((lane) =>
      generate(workshop, makers, { ...input, lane }, signal, async (planned) => {
        await recordPlan(store.db, job, planned);
      }),
    );
    log.info(inWords(generated), 'generated');
    const look = await patientLook(deps, job, generated, signal);
    asked = await record(session, job, generated, look);
    faults.generate.clear();
    made = look.why === null && (generated.kind === 'candidate' || generated.kind === 'stands');
  } catch (error) {
    const what = `job ${ordinal}`;
    log.error({ err: error, interrupted: signal.aborted }, 'came to no end');
    const own = !signal.aborted && (await mayBlameJob(error, workshop.hub.dir));
    if (own && job.attempt - job.round >= MAX_ATTEMPTS) {
      await writeOff(deps, what, error, (trx) => recordInternal(session, trx, job, error));
    } else {
      // What may be this job's own is not counted with the faults that others saw.
      const work = { what, faults: own ? createFaults() : faults.generate, signal };
      await giveBack(deps, work, error, (trx, again) => requeueGeneration(session, trx, job, again));
    }
  } finally {
    if (made) flights.enter(ordinal, 'waiting');
    else flights.leave(ordinal);
    if (!asked) deps.wake();
  }
}

/** What came of a proposal, for the log. */
function inWords(generated: Generated): Fields {
  const { kind, title, coder, usage } = generated;
  const told = { kind, title, coder, usage };
  if (generated.kind === 'candidate') return { ...told, commit: generated.commit, files: generated.changes.length };
  if (generated.kind === 'failed')
    return { ...told, in: generated.stage, failure: generated.failure, reason: generated.reason };
  return { ...told, reason: generated.reason };
}

const NO_LOOK: Look = { why: null, vector: null };

/** A proposal was paid for: while the machine cannot look at it, it is looked at again and not made again. */
async function patientLook(
  { session, faults, wake }: WorkerDeps,
  job: JobRow,
  generated: Generated,
  signal: AbortSignal,
): Promise<Look> {
  if (generated.kind !== 'candidate') return NO_LOOK;
  for (;;) {
    try {
      return await lookForNovelty(session, job, generated, signal);
    } catch (error) {
      if (!(error instanceof InfrastructureError) || signal.aborted) throw error;
      const waited = faults.generate.strike(error, signal);
      wake();
      await waited;
    }
  }
}

/** Says whether a new evaluation was asked for, which is what comes next. */
async function record(session: WorkSession, job: JobRow, generated: Generated, look: Look): Promise<boolean> {
  const { campaignId, describer } = session;
  const { title, summary, brief, transcript, plan, planless, coder } = generated;
  const told = { title, summary, brief, transcript, plan, coder, usage: sumUsage(usageOf(job), generated.usage) };
  let lost = false;
  const asked = await reporting(session, async (trx) => {
    lost = !(await write(session, trx, job, generated, told));
    if (lost) return false;
    if (planless !== null) await appendEvents(trx, [eventOf(job, 'planner.failed', { reason: planless })]);
    if (generated.kind === 'stands') {
      await appendEvents(trx, [eventOf(job, 'job.stands', { round: job.round, reason: generated.reason })]);
    }
    if (generated.kind !== 'candidate') return false;
    const { tree, commit } = generated;
    if (look.vector !== null) {
      await putRepositoryVector(trx, { campaignId, provider: describer.provider.id, tree }, look.vector);
    }
    if (look.why === null) return askForEvaluation(session, trx, { ordinal: job.ordinal, tree, commit });
    await goBack(session, trx, job, look.why);
    return false;
  });
  if (lost && generated.kind === 'candidate') await rehold(session, job.ordinal);
  return asked;
}

/** The job's row and candidate. False when somebody else has the job by now. */
async function write(
  session: WorkSession,
  trx: Transaction<Tables>,
  job: JobRow,
  generated: Generated,
  told: ProposalRecord,
): Promise<boolean> {
  switch (generated.kind) {
    case 'candidate': {
      const { commit, tree, parent, changes } = generated;
      const extent = { ...extentOf(changes), changedPaths: changes.map((change) => change.path) };
      return recordCandidate(trx, job, { ...told, commit, tree, parentCommit: parent, ...extent });
    }
    case 'stands':
      return stand(session, trx, job, told);
    case 'no_change':
      return recordFailure(trx, job, {
        ...{ ...told, outcome: 'no_change', stage: 'agent', kind: 'nothing' },
        reason: generated.reason,
      });
    case 'failed': {
      const { stage, failure, reason } = generated;
      return recordFailure(trx, job, { ...told, outcome: 'failed', stage, kind: failure, reason });
    }
  }
}

/** The proposal that came back is the job's; what was not evaluated yet is. */
async function stand(
  session: WorkSession,
  trx: Transaction<Tables>,
  job: JobRow,
  told: ProposalRecord,
): Promise<boolean> {
  if (!(await recordStanding(trx, job, told))) return false;
  const candidate = await findCandidate(trx, job.campaignId, job.ordinal);
  if (candidate === undefined) throw new InfrastructureError(`job ${job.ordinal} has no candidate that could stand`);
  await askForEvaluation(session, trx, candidate);
  return true;
}

async function askForEvaluation(
  { queue, campaignId }: WorkSession,
  trx: Transaction<Tables>,
  { tree, commit, ordinal }: { readonly tree: string; readonly commit: string; readonly ordinal: number },
): Promise<boolean> {
  const key: EvaluationKey = { campaignId, tree, split: 'train' };
  const asked = await ensurePendingEvaluation(trx, key, { commit, ordinal });
  if (asked === 'created') await queue.enqueue(trx, 'evaluate', campaignId, [key]);
  return asked === 'created';
}

/** In a later round the proposal that came back is left, which a bug of ours does not take away. */
async function recordInternal(
  session: WorkSession,
  trx: Transaction<Tables>,
  job: JobRow,
  error: unknown,
): Promise<void> {
  const [kind, reason] = error instanceof Error ? [error.name, error.message] : ['Error', String(error)];
  if (job.round === 0) {
    await recordFailure(trx, job, { outcome: 'failed', stage: 'internal', kind, reason });
    return;
  }
  const { brief, transcript, plan } = job;
  if (!(await stand(session, trx, job, { brief, transcript, plan, usage: job.usage }))) return;
  await appendEvents(trx, [eventOf(job, 'job.stands', { round: job.round, reason: `${kind}: ${reason}` })]);
}

async function requeueGeneration(
  { queue, campaignId }: WorkSession,
  trx: Transaction<Tables>,
  job: JobRow,
  again: boolean,
): Promise<void> {
  const held = await requeueJob(trx, job);
  if (held && again) await queue.enqueue(trx, 'generate', campaignId, [{ campaignId, ordinal: job.ordinal }]);
}

function eventOf({ campaignId, ordinal }: JobRow, kind: string, data: object): NewEvent {
  return { campaignId, kind, ordinal, data };
}
