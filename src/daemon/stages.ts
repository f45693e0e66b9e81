import { InfrastructureError, InterruptedError } from '../errors.ts';
import type { EvaluationHooks, ValidEvaluation } from '../evaluator/index.ts';
import { type EvaluationRow, findByIdentity, recordStage } from '../store/index.ts';
import { type Log, stageSpan } from './log/index.ts';
import type { WorkSession } from './work-session.ts';

/** The hooks of a claimed evaluation, and the ordinal whose measurement they gave it, if they did. */
export interface StageKeeper extends EvaluationHooks {
  readonly sharedWith: () => number | null;
}

/**
 * Writes each stage down as soon as it ended, and knows what was measured before: whatever becomes of the rest, even of this
 * process, the stage stays, and an identity is measured once. Which of two jobs with one identity is the duplicate does not
 * depend on it: that is decided at settlement, by ordinal, and a copy counts there like the original.
 */
export function keepStages(
  { store, campaignId }: Pick<WorkSession, 'store' | 'campaignId'>,
  claimed: EvaluationRow,
  log: Log,
): StageKeeper {
  let sharedWith: number | null = null;
  return {
    sharedWith: () => sharedWith,
    async onStage({ stdout, stderr, ...stage }) {
      const { name, kind, status, durationMs, summary } = stage;
      log.info({ step: name, kind, status, durationMs: Math.round(durationMs), summary }, 'step ended');
      stageSpan(stage);
      const record = { ...stage, stdoutTail: stdout, stderrTail: stderr };
      const held = await store.db.transaction().execute((trx) => recordStage(trx, claimed, record));
      if (!held) throw new InterruptedError(`the evaluation of job ${claimed.ordinal} was taken over`);
      if (stage.status === 'failed' || stage.identity === null) return null;
      const key = { campaignId, tree: claimed.tree, split: claimed.split };
      const known = await findByIdentity(store.db, key, stage.identity);
      if (known === undefined) return null;
      sharedWith = known.sharedWith ?? known.ordinal;
      return { shared: measurementOf(known) };
    },
  };
}

function measurementOf(row: EvaluationRow): ValidEvaluation {
  const { objectives, scores, identity } = row;
  if (objectives === null || scores === null)
    throw new InfrastructureError(`the evaluation of ${row.tree} has no scores`);
  return {
    status: 'valid',
    ...{ objectives, scores, identity },
    intervals: row.intervals ?? {},
    metrics: row.metrics ?? {},
    features: row.features ?? {},
    summary: row.summary ?? '',
    evidence: row.evidence ?? '',
  };
}
