import { type Lanes, type Measured, type MeasureInput, measure, onOneCpu } from '../../pipeline/index.ts';
import {
  appendEvents,
  type Contestant,
  claimTrial,
  contestants,
  noteIsolation,
  recordTrial,
  requeueTrial,
  type TrialKey,
  type TrialMeasurement,
  type TrialRow,
} from '../../store/index.ts';
import { giveBack } from '../give-back.ts';
import { reporting } from '../leading.ts';
import { inJob, type Log } from '../log/index.ts';
import type { WorkerDeps } from '../workers.ts';

/**
 * Measures the candidates of a trial afresh, one after the other in one lane, so that both see the same machine. A fault of the machine
 * gives the whole trial back: half a trial compares measurements of different hours.
 */
export async function runTrial(deps: WorkerDeps, lanes: Lanes, key: TrialKey, signal: AbortSignal): Promise<void> {
  const { session } = deps;
  const trial = await claimTrial(session.store.db, key, session.claimant);
  if (trial === undefined) return;
  const part = { ordinal: trial.challenger, stage: 'trial', attempt: trial.attempt } as const;
  await inJob(session.logs, part, (log) => runClaimed(deps, lanes, trial, log, signal));
}

async function runClaimed(
  deps: WorkerDeps,
  lanes: Lanes,
  trial: TrialRow,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  const { session, flights, faults } = deps;
  const { store } = session;
  log.info({ cause: trial.cause, incumbent: trial.incumbent }, 'claimed');
  flights.enter(trial.challenger, 'trial');
  let settled = false;
  try {
    const found = await contestants(store.db, trial.campaignId, orderOf(trial));
    settled = found.some(({ ordinal, settled }) => ordinal === trial.challenger && settled);
    const records = await lanes.use((lane) =>
      onOneCpu(session.campaign.evaluator.cpus, signal, (cpu) =>
        measureAll(deps, trial, found, { lane: String(lane), cpu }, signal),
      ),
    );
    await record(deps, trial, records);
    log.info({ measured: records.length }, 'measured again');
    faults.evaluate.clear();
  } catch (error) {
    log.error({ err: error, interrupted: signal.aborted }, 'came to no end');
    const work = { what: `the trial of job ${trial.challenger}`, faults: faults.evaluate, signal };
    await giveBack(deps, work, error, async (trx, again) => {
      const held = await requeueTrial(trx, trial);
      if (held && again) {
        const { campaignId, number } = trial;
        await session.queue.enqueue(trx, 'evaluate', campaignId, [{ campaignId, trial: number }]);
      }
    });
  } finally {
    if (settled) flights.leave(trial.challenger);
    else flights.enter(trial.challenger, 'waiting');
    deps.wake();
  }
}

/** The challenger first in even trials, the incumbent in odd ones: whatever being first is worth, it is worth to both. */
function orderOf({ number, challenger, incumbent }: TrialRow): number[] {
  if (incumbent === null) return [challenger];
  return number % 2 === 0 ? [challenger, incumbent] : [incumbent, challenger];
}

interface Taken {
  readonly contestant: Contestant;
  readonly measured: Measured;
}

async function measureAll(
  { session }: WorkerDeps,
  trial: TrialRow,
  found: readonly Contestant[],
  place: Pick<MeasureInput, 'lane' | 'cpu'>,
  signal: AbortSignal,
): Promise<Taken[]> {
  const { workshop } = session;
  const taken: Taken[] = [];
  for (const ordinal of orderOf(trial)) {
    const contestant = found.find((one) => one.ordinal === ordinal);
    if (contestant === undefined) throw new RangeError(`job ${ordinal} of trial ${trial.number} was never measured`);
    const measured = await measure(workshop, { commit: contestant.commit, split: 'train', ...place }, signal);
    taken.push({ contestant, measured });
    // A challenger that failed has lost already: there is nothing to compare with.
    if (ordinal === trial.challenger && measured.evaluation.status === 'invalid') break;
  }
  return taken;
}

async function record({ session }: WorkerDeps, trial: TrialRow, taken: readonly Taken[]): Promise<void> {
  const { campaignId } = session;
  await reporting(session, async (trx) => {
    if (!(await recordTrial(trx, trial, taken.map(measurementOf)))) return;
    for (const { measured } of taken) await noteIsolation(trx, campaignId, measured.isolation);
    await appendEvents(
      trx,
      taken.flatMap(({ contestant: { ordinal }, measured: { notes } }) => [
        { campaignId, kind: 'split.used', ordinal, data: { split: 'train', purpose: 'trial', trial: trial.number } },
        ...(notes.length > 0 ? [{ campaignId, kind: 'evaluation.noted', ordinal, data: { notes } }] : []),
      ]),
    );
  });
}

/** What a measurement says, and that it is of another artefact than the first one was: then it says nothing of that. */
function measurementOf({ contestant, measured }: Taken): TrialMeasurement {
  const { ordinal } = contestant;
  const { evaluation, durationMs, isolation, machine } = measured;
  const kept = { ordinal, durationMs: Math.round(durationMs), isolation, machine, summary: evaluation.summary };
  if (evaluation.status === 'invalid') return { ...kept, status: 'invalid', kind: evaluation.kind, identity: null };
  const { objectives, intervals, scores, identity } = evaluation;
  if (identity === contestant.identity) return { ...kept, status: 'valid', objectives, intervals, scores, identity };
  const summary = `its identity was ${contestant.identity ?? 'not given'} and is ${identity ?? 'not given'} now`;
  return { ...kept, status: 'invalid', kind: 'other', identity, summary };
}
