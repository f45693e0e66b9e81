import type { Kysely, Transaction } from 'kysely';
import type { EvaluationClaim, EvaluationKey } from './evaluations.ts';
import { storable, toJson } from './json.ts';
import type { Numbers, StageRow, Tables } from './tables.ts';

/** What a step of an evaluator did; its texts bounded by whoever made it. */
export interface StageRecord {
  /** From 0. */
  readonly position: number;
  readonly name: string;
  readonly kind: string | null;
  readonly status: 'passed' | 'failed';
  readonly summary: string;
  readonly evidence: string;
  readonly objectives: Numbers;
  readonly metrics: Numbers;
  readonly stdoutTail: string;
  readonly stderrTail: string;
  readonly durationMs: number;
  readonly isolation: number;
  readonly peakMemoryBytes: number | null;
}

/**
 * Keeps a stage of a running evaluation, under its attempt: what an earlier attempt came to stays as it is. False, and
 * nothing written, when the claim was lost.
 */
export async function recordStage(
  trx: Transaction<Tables>,
  claim: EvaluationClaim,
  stage: StageRecord,
): Promise<boolean> {
  const { campaignId, tree, split, attempt } = claim;
  // Locked, so that the claim still holds when the stage is committed.
  const held = await trx
    .selectFrom('evaluations')
    .select('attempt')
    .where('campaignId', '=', campaignId)
    .where('tree', '=', tree)
    .where('split', '=', split)
    .where('attempt', '=', attempt)
    .where('state', '=', 'running')
    .forShare()
    .executeTakeFirst();
  if (held === undefined) return false;
  const { position, name, kind, status, durationMs, isolation, peakMemoryBytes } = stage;
  await trx
    .insertInto('stages')
    .values({
      ...{ campaignId, tree, split, attempt, position, name, kind, status, durationMs, isolation, peakMemoryBytes },
      summary: storable(stage.summary),
      evidence: storable(stage.evidence),
      objectives: toJson(stage.objectives),
      metrics: toJson(stage.metrics),
      stdoutTail: storable(stage.stdoutTail),
      stderrTail: storable(stage.stderrTail),
    })
    .execute();
  return true;
}

/** The stages of a tree on all splits, of the last attempt that has any, in the order of the steps. */
export async function listStages(
  db: Kysely<Tables>,
  { campaignId, tree }: Pick<EvaluationKey, 'campaignId' | 'tree'>,
): Promise<StageRow[]> {
  return db
    .selectFrom('stages')
    .selectAll()
    .where('campaignId', '=', campaignId)
    .where('tree', '=', tree)
    .where('attempt', '=', (eb) =>
      eb
        .selectFrom('stages as latest')
        .select(({ fn }) => fn.max('latest.attempt').as('attempt'))
        .where('latest.campaignId', '=', campaignId)
        .where('latest.tree', '=', tree)
        .whereRef('latest.split', '=', 'stages.split'),
    )
    .orderBy('split')
    .orderBy('position')
    .execute();
}
