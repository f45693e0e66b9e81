import type { Transaction } from 'kysely';
import { type Artifact, createLanes, type Lanes, type Measured, measure } from '../pipeline/index.ts';
import {
  appendEvents,
  baseOf,
  bindLabel,
  claimEvaluation,
  type EvaluationKey,
  type EvaluationRow,
  finishEvaluation,
  holdsEvaluation,
  insertArtifacts,
  type Lane,
  type NewEvent,
  noteIsolation,
  putRepositoryVector,
  requeueEvaluation,
  type Split,
  type StoredRepositoryVector,
  type Tables,
} from '../store/index.ts';
import type { Faults } from './faults.ts';
import type { Flights } from './flight.ts';
import { generateJob } from './generation.ts';
import { giveBack } from './give-back.ts';
import type { Holds } from './holds.ts';
import { reporting } from './leading.ts';
import { type Fields, inJob, type Log } from './log/index.ts';
import { keepStages } from './stages.ts';
import { runTrial } from './trials/index.ts';
import { vectorOf } from './vector.ts';
import type { WorkSession } from './work-session.ts';

export interface WorkerDeps {
  readonly session: WorkSession;
  readonly flights: Flights;
  readonly holds: Holds;
  readonly faults: { readonly generate: Faults; readonly evaluate: Faults };
  /** Ends the work in progress: it goes back to the queue. */
  readonly interrupt: AbortSignal;
  /** Something was recorded: the scheduler should look. */
  readonly wake: () => void;
}

/** How much of each kind a process does at the same time; 0: none of it. */
export interface Slots {
  readonly generate: number;
  readonly evaluate: number;
}

/** Starts the workers of both queues of a campaign. */
export async function startWorkers(deps: WorkerDeps, slots: Slots): Promise<Lane[]> {
  const { queue, campaignId } = deps.session;
  const generateLanes = createLanes(slots.generate);
  const evaluateLanes = createLanes(slots.evaluate);
  return Promise.all([
    queue.work('generate', campaignId, { concurrency: slots.generate }, (payload, signal) =>
      generateJob(deps, generateLanes, payload, AbortSignal.any([signal, deps.interrupt])),
    ),
    queue.work('evaluate', campaignId, { concurrency: slots.evaluate }, (payload, signal) =>
      'trial' in payload
        ? runTrial(deps, evaluateLanes, payload, AbortSignal.any([signal, deps.interrupt]))
        : evaluateTree(deps, evaluateLanes, payload, AbortSignal.any([signal, deps.interrupt])),
    ),
  ]);
}

async function evaluateTree(deps: WorkerDeps, lanes: Lanes, key: EvaluationKey, outer: AbortSignal): Promise<void> {
  const { session } = deps;
  const claimed = await claimEvaluation(session.store.db, key, session.claimant);
  if (claimed === undefined) return;
  const { ordinal, attempt, split } = claimed;
  const part = { ordinal, stage: 'evaluate', attempt, split } as const;
  await inJob(session.logs, part, (log) => evaluateClaimed(deps, lanes, claimed, log, outer));
}

async function evaluateClaimed(
  deps: WorkerDeps,
  lanes: Lanes,
  claimed: EvaluationRow,
  log: Log,
  outer: AbortSignal,
): Promise<void> {
  const { session, flights, faults, holds } = deps;
  const { store, workshop } = session;
  log.info({ commit: claimed.commit, tree: claimed.tree }, 'claimed');
  if (claimed.ordinal === 0) await bindLabel(store.db, claimed.campaignId, session.claimant.label);
  flights.enter(claimed.ordinal, 'evaluate');
  using hold = holds.hold(() => holdsEvaluation(store.db, claimed), outer);
  const { signal } = hold;
  const keeper = keepStages(session, claimed, log);
  try {
    const { commit, split } = claimed;
    const record = await lanes.use((lane) => measure(workshop, { commit, split, lane: String(lane) }, signal, keeper));
    // The search sees train alone; a finalist has its vector already.
    const searched = claimed.split === 'train' && record.evaluation.status === 'valid';
    const vector = searched ? await vectorOfMeasured(session, claimed, signal) : null;
    log.info(inWords(record), 'measured');
    const sharedWith = record.shared ? keeper.sharedWith() : null;
    await recordEvaluation(session, claimed, { ...record, sharedWith }, vector);
    faults.evaluate.clear();
  } catch (error) {
    log.error({ err: error, interrupted: signal.aborted }, 'came to no end');
    const work = { what: `the evaluation of job ${claimed.ordinal}`, faults: faults.evaluate, signal };
    await giveBack(deps, work, error, (trx, again) => requeueMeasurement(session, trx, claimed, again));
  } finally {
    flights.leave(claimed.ordinal);
    deps.wake();
  }
}

/** What came of a measurement, for the log. */
function inWords({ evaluation, durationMs, isolation, notes }: Measured): Fields {
  const { status, summary } = evaluation;
  const verdict = evaluation.status === 'valid' ? { objectives: evaluation.objectives } : { kind: evaluation.kind };
  return {
    status,
    ...verdict,
    summary,
    durationMs: Math.round(durationMs),
    isolation,
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** The one of a repeated tree is there already, as is that of a proposal that was looked at for its novelty. */
async function vectorOfMeasured(
  session: WorkSession,
  { ordinal, commit, tree }: EvaluationRow,
  signal: AbortSignal,
): Promise<StoredRepositoryVector | null> {
  const base = await baseOf(session.store.db, session.campaignId, ordinal);
  return vectorOf(session, { commit, tree, base }, signal);
}

interface Shared {
  /** The ordinal whose measurement it is. */
  readonly sharedWith: number | null;
}

async function recordEvaluation(
  session: WorkSession,
  claimed: EvaluationRow,
  { evaluation, durationMs, isolation, stdout, stderr, artifacts, notes, machine, sharedWith }: Measured & Shared,
  vector: StoredRepositoryVector | null,
): Promise<void> {
  const { campaignId, describer } = session;
  const { tree, ordinal } = claimed;
  await reporting(session, async (trx) => {
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
  { queue, campaignId }: WorkSession,
  trx: Transaction<Tables>,
  claimed: EvaluationRow,
  again: boolean,
): Promise<void> {
  const { tree, split } = claimed;
  const held = await requeueEvaluation(trx, claimed);
  if (held && again) await queue.enqueue(trx, 'evaluate', campaignId, [{ campaignId, tree, split }]);
}
