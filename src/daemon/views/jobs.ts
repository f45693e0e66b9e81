import type { Kysely } from 'kysely';
import { type CampaignRow, type JobLine, listJobs, type Outcome, type Tables } from '../../store/index.ts';

/** One line of the ledger; plain JSON. */
export interface JobView
  extends Pick<
    JobLine,
    | 'ordinal'
    | 'kind'
    | 'state'
    | 'outcome'
    | 'stage'
    | 'failureKind'
    | 'reason'
    | 'duplicateOf'
    | 'title'
    | 'round'
    | 'commit'
    | 'added'
    | 'deleted'
    | 'objectives'
    | 'durationMs'
  > {
  /** Whether the finals chose it. */
  readonly winner: boolean;
  readonly base: number | null;
  readonly inspirations: readonly number[];
}

export interface JobQuery {
  /** The last ordinal of the page before. */
  readonly after?: number | undefined;
  readonly limit: number;
  readonly outcome?: Outcome | undefined;
  /** The latest first. */
  readonly latest?: boolean | undefined;
}

export async function readJobs(db: Kysely<Tables>, row: CampaignRow, query: JobQuery): Promise<JobView[]> {
  const { after, limit, outcome, latest } = query;
  const lines = await listJobs(db, row.id, outcome === undefined ? {} : { outcomes: [outcome] }, {
    order: latest === true ? 'descending' : 'ascending',
    limit,
    ...(after === undefined ? {} : { after }),
  });
  return lines.map((line) => ({
    ordinal: line.ordinal,
    kind: line.kind,
    state: line.state,
    outcome: line.outcome,
    stage: line.stage,
    failureKind: line.failureKind,
    reason: line.reason,
    duplicateOf: line.duplicateOf,
    title: line.title,
    round: line.round,
    commit: line.commit,
    added: line.added,
    deleted: line.deleted,
    objectives: line.objectives,
    durationMs: line.durationMs,
    winner: line.ordinal === row.winner,
    base: line.baseOrdinal,
    inspirations: line.inspirations,
  }));
}
