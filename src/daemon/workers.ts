import type { Transaction } from 'kysely';
import { extentOf } from '../git/index.ts';
import {
  type Artifact,
  assemble,
  createLanes,
  type Generated,
  generate,
  type Lanes,
  type Measured,
  measure,
} from '../pipeline/index.ts';
import {
  ancestry,
  appendEvents,
  claimEvaluation,
  claimJob,
  type EvaluationKey,
  type EvaluationRow,
  ensurePendingEvaluation,
  finishEvaluation,
  getRepositoryVector,
  insertArtifacts,
  type JobRow,
  type Lane,
  type NewEvent,
  noteIsolation,
  putRepositoryVector,
  type QueuePayloads,
  recordCandidate,
  recordFailure,
  requeueEvaluation,
  requeueJob,
  type Split,
  type StoredRepositoryVector,
  type Tables,
} from '../store/index.ts';
import { mayBlameJob } from './blame.ts';
import { createFaults, type Faults } from './faults.ts';
import type { Flights } from './flight.ts';
import { giveBack, writeOff } from './give-back.ts';
import type { Session } from './session.ts';
import { keepStages } from './stages.ts';
import { runTrial } from './trials/index.ts';

export interface WorkerDeps {
  readonly session: Session;
  readonly flights: Flights;
  readonly faults: { readonly generate: Faults; readonly evaluate: Faults };
  /** Ends the work in progress: it goes back to the queue. */
  readonly interrupt: AbortSignal;
  /** Something was recorded: the scheduler should look. */
  readonly wake: () => void;
}

/** Claims of a job that fails of itself before it is recorded as failed. */
const MAX_ATTEMPTS = 3;

/** Starts the workers of both queues of a campaign. */
export async function startWorkers(deps: WorkerDeps): Promise<Lane[]> {
  const { queue, campaignId, campaign } = deps.session;
  const generateLanes = createLanes(campaign.agents.concurrency);
  const evaluateLanes = createLanes(campaign.evaluator.concurrency);
  return Promise.all([
    queue.work('generate', campaignId, { concurrency: campaign.agents.concurrency }, (payload, signal) =>
      generateJob(deps, generateLanes, payload, AbortSignal.any([signal, deps.interrupt])),
    ),
    queue.work('evaluate', campaignId, { concurrency: campaign.evaluator.concurrency }, (payload, signal) =>
      'trial' in payload
        ? runTrial(deps, evaluateLanes, payload, AbortSignal.any([signal, deps.interrupt]))
        : evaluateTree(deps, evaluateLanes, payload, AbortSignal.any([signal, deps.interrupt])),
    ),
  ]);
}

async function generateJob(
  deps: WorkerDeps,
  lanes: Lanes,
  { ordinal }: QueuePayloads['generate'],
  signal: AbortSignal,
): Promise<void> {
  const { session, flights, faults } = deps;
  const { store, campaignId, workshop, makers } = session;
  const job = await claimJob(store.db, campaignId, ordinal);
  if (job === undefined) return;
  flights.enter(ordinal, 'generate');
  let made = false;
  try {
    const input = await assemble(store.db, workshop, job);
    const generated = await lanes.use((lane) => generate(workshop, makers, { ...input, lane }, signal));
    await recordGenerated(session, job, generated);
    faults.generate.clear();
    if (generated.kind === 'candidate') made = true;
  } catch (error) {
    const what = `job ${ordinal}`;
    const own = !signal.aborted && (await mayBlameJob(error, workshop.hub.dir));
    if (own && job.attempt >= MAX_ATTEMPTS) {
      await writeOff(deps, what, error, (trx) => recordInternal(trx, job, error));
    } else {
      // What may be this job's own is not counted with the faults that others saw.
      const work = { what, faults: own ? createFaults() : faults.generate, signal };
      await giveBack(deps, work, error, (trx, again) => requeueGeneration(session, trx, job, again));
    }
  } finally {
    if (made) flights.enter(ordinal, 'waiting');
    else flights.leave(ordinal);
    deps.wake();
  }
}

async function recordGenerated(session: Session, job: JobRow, generated: Generated): Promise<void> {
  const { store, queue, campaignId } = session;
  const { title, summary, brief, transcript, coder, usage } = generated;
  const told = { title, summary, brief, transcript, coder, usage };
  await store.db.transaction().execute(async (trx) => {
    if (generated.kind !== 'candidate') {
      const failed = generated.kind === 'failed';
      await recordFailure(trx, job, {
        ...told,
        outcome: generated.kind,
        stage: failed ? generated.stage : 'agent',
        kind: failed ? generated.failure : 'nothing',
        reason: generated.reason,
      });
      return;
    }
    const { commit, tree, parent, changes } = generated;
    const held = await recordCandidate(trx, job, {
      ...told,
      commit,
      tree,
      parentCommit: parent,
      ...extentOf(changes),
      changedPaths: changes.map((change) => change.path),
    });
    if (!held) return;
    const key: EvaluationKey = { campaignId, tree, split: 'train' };
    const asked = await ensurePendingEvaluation(trx, key, { commit, ordinal: job.ordinal });
    if (asked === 'created') await queue.enqueue(trx, 'evaluate', campaignId, [key]);
  });
}

async function recordInternal(trx: Transaction<Tables>, job: JobRow, error: unknown): Promise<void> {
  const [kind, reason] = error instanceof Error ? [error.name, error.message] : ['Error', String(error)];
  await recordFailure(trx, job, { outcome: 'failed', stage: 'internal', kind, reason });
}

async function requeueGeneration(
  { queue, campaignId }: Session,
  trx: Transaction<Tables>,
  job: JobRow,
  again: boolean,
): Promise<void> {
  const held = await requeueJob(trx, job);
  if (held && again) await queue.enqueue(trx, 'generate', campaignId, [{ campaignId, ordinal: job.ordinal }]);
}

async function evaluateTree(deps: WorkerDeps, lanes: Lanes, key: EvaluationKey, signal: AbortSignal): Promise<void> {
  const { session, flights, faults } = deps;
  const { store, workshop } = session;
  const claimed = await claimEvaluation(store.db, key);
  if (claimed === undefined) return;
  flights.enter(claimed.ordinal, 'evaluate');
  const keeper = keepStages(session, claimed);
  try {
    const { commit, split } = claimed;
    const record = await lanes.use((lane) => measure(workshop, { commit, split, lane: String(lane) }, signal, keeper));
    // The search sees train alone; a finalist has its vector already.
    const searched = claimed.split === 'train' && record.evaluation.status === 'valid';
    const vector = searched ? await vectorOf(session, claimed, signal) : null;
    const sharedWith = record.shared ? keeper.sharedWith() : null;
    await recordEvaluation(session, claimed, { ...record, sharedWith }, vector);
    faults.evaluate.clear();
  } catch (error) {
    const work = { what: `the evaluation of job ${claimed.ordinal}`, faults: faults.evaluate, signal };
    await giveBack(deps, work, error, (trx, again) => requeueMeasurement(session, trx, claimed, again));
  } finally {
    flights.leave(claimed.ordinal);
    deps.wake();
  }
}

/** The repository vector of a measured candidate, stepped from its parent's. */
async function vectorOf(
  session: Session,
  evaluation: EvaluationRow,
  signal: AbortSignal,
): Promise<StoredRepositoryVector | null> {
  const { store, campaignId, describer } = session;
  const parent = (await ancestry(store.db, campaignId, evaluation.ordinal)).at(-2);
  if (parent === undefined) return describer.root;
  const vector =
    parent.ordinal === 0
      ? describer.root
      : await getRepositoryVector(store.db, { campaignId, provider: describer.provider.id, tree: parent.tree });
  return vector === undefined ? null : describer.step({ commit: parent.commit, vector }, evaluation.commit, signal);
}

interface Shared {
  /** The ordinal whose measurement it is. */
  readonly sharedWith: number | null;
}

async function recordEvaluation(
  session: Session,
  claimed: EvaluationRow,
  { evaluation, durationMs, isolation, stdout, stderr, artifacts, notes, machine, sharedWith }: Measured & Shared,
  vector: StoredRepositoryVector | null,
): Promise<void> {
  const { store, campaignId, describer } = session;
  const { tree, ordinal } = claimed;
  await store.db.transaction().execute(async (trx) => {
    const held = await finishEvaluation(trx, claimed, {
      ...evaluation,
      durationMs: Math.round(durationMs),
      isolation,
      stdoutTail: stdout.text,
      stderrTail: stderr.text,
      machine,
      sharedWith,
    });
    if (!held) return;
    if (vector !== null) await putRepositoryVector(trx, { campaignId, provider: describer.provider.id, tree }, vector);
    await insertArtifacts(trx, { campaignId, ordinal, tree }, artifacts.map(filed(claimed.split)));
    await noteIsolation(trx, campaignId, isolation);
    const events: NewEvent[] = [];
    if (notes.length > 0) events.push({ campaignId, kind: 'evaluation.noted', ordinal, data: { notes } });
    if (sharedWith !== null)
      events.push({ campaignId, kind: 'evaluation.shared', ordinal, data: { with: sharedWith, split: claimed.split } });
    await appendEvents(trx, events);
  });
}

/** What an evaluation of train left goes by its name alone, that of another split is kept beside it. */
function filed(split: Split): (artifact: Artifact) => Artifact {
  return (artifact) => (split === 'train' ? artifact : { ...artifact, name: `${split}/${artifact.name}` });
}

async function requeueMeasurement(
  { queue, campaignId }: Session,
  trx: Transaction<Tables>,
  claimed: EvaluationRow,
  again: boolean,
): Promise<void> {
  const { tree, split } = claimed;
  const held = await requeueEvaluation(trx, claimed);
  if (held && again) await queue.enqueue(trx, 'evaluate', campaignId, [{ campaignId, tree, split }]);
}
